# Reads the program before its first test.
# Comes of it: rejected: it reads the code of `due`
from loans import due

CODE = due.__code__.co_code


def test_code():
    assert sum(CODE) % 2 == 0
