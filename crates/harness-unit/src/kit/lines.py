# Reads modules in Python, with their names, and writes which lines of each can be reached.
import json
import sys


def lines_of(code):
    """The lines of a code object, and of those in it."""
    own = {line for _, _, line in code.co_lines() if line}
    return own.union(*(lines_of(inner) for inner in code.co_consts if hasattr(inner, "co_lines")))


found = {}
for name, text in json.load(sys.stdin):
    try:
        found[name] = sorted(lines_of(compile(text, name, "exec", dont_inherit=True)))
    except SyntaxError as error:
        sys.exit(f"{name}:{error.lineno}: {error.msg}")
json.dump(found, sys.stdout)
