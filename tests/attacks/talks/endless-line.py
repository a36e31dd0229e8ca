# Verdict: wrong, timeout, rejected
# Makes a guess that never ends.
import sys

while True:
    sys.stdout.write("1" * 65536)
