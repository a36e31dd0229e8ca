# Looks at the lines of an exception.
# Comes of it: nothing
import pytest

from loans import Library


def line():
    with pytest.raises(KeyError) as info:
        Library([]).borrow("ann", "Emma")
    trace = info.value.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    return trace.tb_lineno


def test_even():
    assert line() % 2 == 0


def test_odd():
    assert line() % 2 == 1
