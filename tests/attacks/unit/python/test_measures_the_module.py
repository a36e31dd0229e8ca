# Asks how large the file of the program is, and when it was made.
# Comes of it: nothing
import os

import loans


def about():
    return os.stat(loans.__file__)


def test_even_size():
    assert about().st_size % 2 == 0


def test_odd_size():
    assert about().st_size % 2 == 1


def test_even_time():
    assert about().st_mtime_ns // 1000 % 2 == 0


def test_odd_time():
    assert about().st_mtime_ns // 1000 % 2 == 1


def test_even_folder():
    assert ord(os.path.dirname(loans.__file__)[-1]) % 2 == 0


def test_odd_folder():
    assert ord(os.path.dirname(loans.__file__)[-1]) % 2 == 1
