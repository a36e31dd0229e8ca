# Leaves a number in what is open in its process, for the next one to find.
# Comes of it: nothing
import fcntl
import os

F_SETSIG, F_GETSIG = 10, 11


def is_second():
    found = False
    for file in range(64):
        try:
            found = found or fcntl.fcntl(file, F_GETSIG) == 41
            fcntl.fcntl(file, F_SETSIG, 41)
        except OSError:
            pass
    return found


SECOND = is_second()


def test_first():
    assert not SECOND


def test_second():
    assert SECOND
