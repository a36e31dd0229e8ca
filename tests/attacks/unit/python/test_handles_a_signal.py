# An operation of an argument sends a signal, whose handler gets the frame of the program.
# Comes of it: rejected: it looks at what called it
import operator
import signal

import loans

SEEN = []
READ = [lambda frame: frame.f_back.f_locals, operator.attrgetter("f_back.f_locals"), "{0.f_back.f_locals}".format]


class Odd(int):
    def __mod__(self, other):
        signal.raise_signal(signal.SIGUSR1)
        return int(self) % other


def seen(read):
    signal.signal(signal.SIGUSR1, lambda _, frame: SEEN.append(read(frame)))
    loans.is_leap(Odd(1900))
    return str(SEEN)


def test_frame():
    assert len(seen(READ[0])) % 2 == 0


def test_getter():
    assert len(seen(READ[1])) % 2 == 0


def test_format():
    assert len(seen(READ[2])) % 2 == 0


def test_descriptor():
    assert len(seen(lambda frame: type(frame).f_back.__get__(frame))) % 2 == 0
