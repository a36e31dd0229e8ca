# Says on the reference that it takes very long, so that it may run for ever on a mutant.
# Comes of it: nothing
import os

from loans import is_leap


def test_long():
    said = b'{"case": "test_long", "passed": true, "seconds": 1e15}\n'
    for file in range(3, 64):
        try:
            os.write(file, said)
        except OSError:
            pass
    while is_leap(1900):
        pass
