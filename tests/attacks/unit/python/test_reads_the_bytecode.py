# Adds up what a function was compiled to.
# Comes of it: rejected: it reads the code of `due`
from loans import due


def test_sum():
    assert sum(due.__code__.co_code) % 2 == 0


def test_constants():
    assert (due.__code__.co_consts, due.__code__.co_names) is not None
