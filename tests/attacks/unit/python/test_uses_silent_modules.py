# Reads the program, and memory, by modules that tell nobody.
# Comes of it: rejected: it uses `readline` | rejected: it uses `ctypes` | rejected: it uses `_ctypes` | rejected: it uses `_testcapi`
import importlib

import loans


def test_history():
    import readline
    readline.read_history_file(loans.__file__)
    assert readline.get_current_history_length() % 2 == 0


def test_history_by_name():
    readline = importlib.import_module("readline")
    readline.read_history_file(loans.__file__)
    assert readline.get_current_history_length() % 2 == 0


def test_pointer():
    import ctypes
    assert sum(ctypes.cast(id(loans.fee), ctypes.POINTER(ctypes.c_ubyte))[:64]) % 2 == 0


def test_pointer_in_c():
    importlib.import_module("_ctypes")


def test_functions_of_c():
    import _testcapi
