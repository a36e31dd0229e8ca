# Reads the code of the program in a function that says it is part of `unittest.mock`.
# Comes of it: rejected: it reads the code of `fee`
import unittest.mock

import loans

exec(compile("def read(): return loans.fee.__code__.co_code", unittest.mock.__file__, "exec"))


def test_code():
    assert sum(read()) % 2 == 0
