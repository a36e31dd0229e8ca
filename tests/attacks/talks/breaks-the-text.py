# Verdict: wrong
# Prints what is no text, on which an interactor in Python fails.
import os

os.write(1, b"\xff\xfe\x00\n")
