# Its code says that it is of a file of Python.
# Comes of it: rejected: it looks at the program instead of calling it
import os

import loans

TEXT = """
def test_code():
    assert sum(loans.due.__code__.co_code) % 2 == 0
def test_file():
    assert len(open(loans.__file__, "rb").read()) % 2 == 0
def test_memory():
    import gc
    assert len(gc.get_objects()) % 2 == 0
def test_process():
    import subprocess
    assert subprocess.run(["true"]).returncode == 1
def test_frame():
    import sys
    assert sys._getframe(1).f_lineno % 2 == 0
def test_lines():
    import sys
    sys.settrace(lambda *_: None)
def test_bytes():
    import ctypes
    assert sum(ctypes.string_at(id(loans), 8)) % 2 == 0
"""
exec(compile(TEXT, os.__file__, "exec"))
