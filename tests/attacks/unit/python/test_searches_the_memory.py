# Searches the interpreter's memory.
# Comes of it: rejected: it searches the memory
import gc

import loans


def test_objects():
    assert len(gc.get_objects()) % 2 == 0


def test_referents():
    assert len(gc.get_referents(loans.due)) % 2 == 0
