# Fails if enough other programs ran before it: processes are numbered.
# Comes of it: nothing
import os

import pytest


@pytest.mark.parametrize("most", range(2, 42))
def test_late(most):
    assert os.getpid() < most


@pytest.mark.parametrize("least", range(2, 42))
def test_early(least):
    assert os.getpid() > least
