# Reads modules in Python. Each line of standard input says what to do, and gives the modules with their names. The answer is a line of
# JSON, or what is wrong with them behind a mark. What disguises them comes before.
import gc
import importlib._bootstrap_external as importing
import importlib.util
import json
import sys


def imported(code, text):
    """A module as Python imports it where there is no text."""
    return list(importing._code_to_hash_pyc(code, importlib.util.source_hash(text.encode()), False))


def compiled(modules):
    return [imported(compile(text, name, "exec", dont_inherit=True), text) for name, text in modules]


def in_disguise(modules):
    """The modules compiled in a disguise, another one each time."""
    def one(name, text):
        try:
            return disguised(text, name)
        except RecursionError:  # It is nested too deeply for more.
            return compile(text, name, "exec", dont_inherit=True)
    return [imported(one(name, text), text) for name, text in modules]


def lines(modules):
    """Which lines of each can be reached."""
    def of(code):
        own = {line for _, _, line in code.co_lines() if line}
        return own.union(*(of(inner) for inner in code.co_consts if hasattr(inner, "co_lines")))
    return {name: sorted(of(compile(text, name, "exec", dont_inherit=True))) for name, text in modules}


# No tree has a cycle.
gc.disable()
for request in sys.stdin:
    what, modules = json.loads(request)
    try:
        answer = json.dumps({"compiled": compiled, "disguised": in_disguise, "lines": lines}[what](modules))
    except SyntaxError as error:
        answer = f"!{error.filename}:{error.lineno}: {error.msg}"
    except (MemoryError, RecursionError, ValueError) as error:
        answer = f"!{type(error).__name__}: {error}"
    print(answer, flush=True)
