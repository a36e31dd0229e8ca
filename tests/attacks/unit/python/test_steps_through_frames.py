# Looks at what called it, to find what runs the tests.
# Comes of it: rejected: it looks at what called it
import inspect
import sys


def test_frame():
    frame = sys._getframe()
    while frame.f_back:
        frame = frame.f_back
    frame.f_globals["wanted"] = []


def test_inspect():
    assert inspect.currentframe().f_back is None
