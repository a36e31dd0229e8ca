"""A line with a number from 2 to 1,000,000,000, which must be even if the argument says so."""

import re
import sys

text = sys.stdin.read()
if not re.fullmatch(r"[1-9][0-9]*\n", text):
    sys.exit("line 1: there is no number")
if not 2 <= int(text) <= 10**9:
    sys.exit("line 1: the number is not from 2 to 1,000,000,000")
if "even" in sys.argv and int(text) % 2:
    sys.exit("line 1: the number is odd")
sys.exit(42)
