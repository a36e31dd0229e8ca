# Leaves a file for the next run, wherever it can.
# Comes of it: nothing
import os

FOLDERS = ["/tmp", "/dev/shm", "/var/tmp", ".", os.path.dirname(__file__)]


def is_second():
    found = False
    for folder in FOLDERS:
        found = found or os.path.exists(folder + "/seen")
        try:
            open(folder + "/seen", "w").close()
        except OSError:
            pass
    return found


SECOND = is_second()


def test_first():
    assert not SECOND


def test_second():
    assert SECOND
