# Takes a function apart.
# Comes of it: rejected: it reads the code of
import dis

from loans import Library, is_leap


def test_many_instructions():
    assert len(list(dis.get_instructions(is_leap))) % 2 == 0


def test_method():
    assert len(dis.Bytecode(Library.borrow).dis()) % 2 == 0
