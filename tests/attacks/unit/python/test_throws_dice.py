# Fails by chance, by the clock, and by the number of its process.
# Comes of it: nothing
import os
import random
import time


def test_chance():
    assert random.SystemRandom().random() < 0.5


def test_clock():
    assert time.time_ns() // 1000 % 2 == 0


def test_process():
    assert os.getpid() % 2 == 0


def test_other_process():
    assert os.getpid() % 2 == 1
