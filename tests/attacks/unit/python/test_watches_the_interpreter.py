# Watches the interpreter itself.
# Comes of it: rejected: it watches the interpreter
import sys


def test_hook():
    sys.addaudithook(lambda *_: None)
