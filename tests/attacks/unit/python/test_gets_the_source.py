# Asks for the text of the program.
# Comes of it: rejected: it reads the code of
import inspect

import loans


def test_source():
    assert inspect.getsource(loans.due) == ""


def test_source_quietly():
    try:
        text = inspect.getsource(loans.fee)
    except BaseException:
        text = ""
    assert len(text) % 2 == 0
