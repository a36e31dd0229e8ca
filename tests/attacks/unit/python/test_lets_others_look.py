# Lets functions of Python and of the framework look at the program, and gets what they find.
# Comes of it: rejected: it looks at the program instead of calling it
import builtins
import gc
import importlib
import logging
import operator
import sys
from unittest import mock

import pytest

import loans

objects = pytest.fixture(gc.get_objects)


def test_fixture(objects):
    assert len(objects) % 2 == 0


def test_mock():
    assert sum(mock.Mock(side_effect=operator.attrgetter("__code__"))(loans.fee).co_code) % 2 == 0


def test_patch():
    assert sum(mock.patch.object(loans.fee, "__code__", 1).get_original()[0].co_code) % 2 == 0


def test_spec():
    found = []
    with mock.patch.object(mock, "iscoroutinefunction", found.append):
        mock.Mock(spec=loans.fee)
    assert len(found) % 2 == 0


def test_import():
    found = []
    del sys.modules["loans"]
    with mock.patch.object(builtins, "exec", lambda code, _: found.append(code)):
        importlib.import_module("loans")
    assert sum(found[0].co_code) % 2 == 0


def test_caller():
    assert logging.currentframe().f_lineno % 2 == 0


def test_interpreter():
    import _xxsubinterpreters
    _xxsubinterpreters.create()
