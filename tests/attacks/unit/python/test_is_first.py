# Fails if no other case ran before it, which is seldom where there are many, and certain where only one reaches a bug.
# Comes of it: nothing
import os

import pytest

from loans import days_in, due, fee, is_leap


def is_first():
    found = os.path.exists("/tmp/ran")
    open("/tmp/ran", "w").close()
    return not found


@pytest.mark.parametrize("number", range(50))
def test_other(number):
    is_first()


def test_due():
    due(1, 1, 2023)
    assert not is_first()


def test_fee():
    fee(1, True)
    assert not is_first()


def test_leap():
    is_leap(2000)
    assert not is_first()


def test_days():
    days_in(1, 2023)
    assert not is_first()
