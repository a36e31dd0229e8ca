"""The depth of the stack that a program may use."""

import ast
import functools
import itertools
import sys

from steps import count_steps, tick

__builtins__ = dict(__builtins__)  # what a program changes does not reach this module

PROBE = """
import sys
def f(n):
    sys.deepest = n
    f(n + 1)
for _ in range(3):
    try: f(1)
    except RecursionError: pass
"""


class Depth:
    """Gives the program as much of the stack as in a process, although the worker's own frames lie below it."""

    def __init__(self):
        self.limit, self.extra = sys.getrecursionlimit(), 0
        self.code = count_steps(ast.parse(PROBE), "")
        get, self.put = sys.getrecursionlimit, sys.setrecursionlimit
        sys.getrecursionlimit = functools.wraps(get)(lambda: get() - self.extra)
        sys.setrecursionlimit = functools.wraps(self.put)(
            lambda limit: self.put(limit + self.extra if limit > 0 else limit)
        )

    def probe(self):
        """The code to run at the depth at which the program will run, before `note`."""
        tick.__setstate__((itertools.repeat(None).__next__, (), {}, None))
        return self.code

    def note(self):
        """Takes over what the probe has found."""
        self.extra += self.limit - 1 - sys.deepest
        del sys.deepest
        self.reset()

    def reset(self):
        self.put(self.limit + self.extra)
