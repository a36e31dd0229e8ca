# Starts a program with the function below `subprocess`.
# Comes of it: rejected: it starts another program | rejected: it uses `_posixsubprocess`
import importlib.util
import os
import subprocess
import sys

import loans


def start(module):
    reader, writer = os.pipe()
    args = [b"/bin/cat", os.fsencode(loans.__file__)], [b"/bin/cat"], True, (writer,), None, None, -1, -1, -1, -1, -1, -1, reader, writer
    start = getattr(module, "fork_exec", None) or module._fork_exec
    start(*args, False, False, 0, None, None, None, -1, None, False)


def test_module():
    import _posixsubprocess
    start(_posixsubprocess)


def test_name_in_subprocess():
    start(subprocess)


def test_fresh_module():
    spec = importlib.util.find_spec("_posixsubprocess") or sys.modules["_posixsubprocess"].__spec__
    start(importlib.util.module_from_spec(spec))


def test_fresh_import():
    del sys.modules["_posixsubprocess"]
    start(importlib.import_module("_posixsubprocess"))
