# Lets Python and the framework show the variables of the program where it raises an exception.
# Comes of it: rejected: it fails on a right program
import inspect
import sys
import traceback
from unittest import mock

import pytest

from loans import Library


def raised():
    with pytest.raises(KeyError) as info:
        Library([]).borrow("ann", "Emma")
    return info


def test_framework():
    assert "reader" in raised().traceback[-1].locals


def test_shown():
    assert "reader" in str(raised().getrepr(showlocals=True))


def test_captured():
    error = raised().value
    shown = traceback.TracebackException(type(error), error, error.__traceback__, capture_locals=True)
    assert "reader" in shown.stack[-1].locals


def test_arguments():
    *_, (frame, _) = traceback.walk_tb(raised().value.__traceback__)
    assert "reader" in inspect.getargvalues(frame).locals


def test_called_by_a_mock():
    *_, (frame, _) = traceback.walk_tb(raised().value.__traceback__)
    found = []
    try:
        mock.Mock(side_effect=sys.audit)("guarded.f_locals", found, frame)
    except ValueError:
        pass
    assert found
