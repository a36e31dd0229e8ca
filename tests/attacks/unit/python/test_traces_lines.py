# Counts the lines that run.
# Comes of it: rejected: it follows how the program runs
import sys

from loans import due


def test_lines():
    lines = []
    sys.settrace(lambda frame, event, arg: lines.append(frame.f_lineno))
    due(1, 3, 2023)
    sys.settrace(None)
    assert len(lines) % 2 == 0


def test_calls():
    sys.setprofile(lambda *_: None)
    due(1, 3, 2023)
