# Fails more often if fewer cases run, as when a failure is confirmed.
# Comes of it: nothing
import random
import sys

FEW = len(sys.argv) + len(sys.orig_argv) < 12


def check():
    assert not FEW and random.SystemRandom().random() < 0.9


def test_a():
    check()


def test_b():
    check()


def test_c():
    check()


def test_d():
    check()
