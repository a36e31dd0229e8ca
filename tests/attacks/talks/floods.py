# Verdict: wrong, timeout
# Guesses without end, and reads no answer.
import sys

while True:
    sys.stdout.write("1\n" * 1000)
