# Verdict: wrong
# Exits as an interactor that accepts, and says so.
import os
import sys

print("accepted", file=sys.stderr)
os._exit(42)
