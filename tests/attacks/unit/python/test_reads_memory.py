# Reads memory by functions of C.
# Comes of it: rejected: it uses `ctypes`
import ctypes

from loans import due


def test_memory():
    assert sum(ctypes.string_at(id(due), 64)) % 2 == 0


def test_symbol():
    assert ctypes.CDLL(None).getpid() % 2 == 0
