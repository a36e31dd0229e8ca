# Leaves a number in what is open in its process, for the next one to find.
# Comes of it: rejected: it fails on a right program
import fcntl

F_SETSIG, F_GETSIG = 10, 11


def asked(file, *args):
    try:
        return fcntl.fcntl(file, *args)
    except OSError:
        return None


SECOND = any(asked(file, F_GETSIG) == 41 for file in range(64))
for file in range(64):
    asked(file, F_SETSIG, 41)


def test_second():
    assert SECOND
