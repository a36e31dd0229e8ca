# Reads modules in Python. Each line of standard input says what to do, with which number, and gives the modules with their names. The
# answer is a line of JSON, or what is wrong with them behind a mark.
import ast
import importlib._bootstrap_external as importing
import importlib.util
import json
import sys


def compiled(modules, _):
    """The modules as Python imports them where there is no text."""
    def one(name, text):
        code = compile(text, name, "exec", dont_inherit=True)
        return list(importing._code_to_hash_pyc(code, importlib.util.source_hash(text.encode()), False))
    return [one(name, text) for name, text in modules]


def disguised(modules, many):
    """Their texts, where each function also does `many` things that have no effect."""
    def one(name, text):
        module = ast.parse(text, name)
        for node in list(ast.walk(module)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                # A docstring stays the first statement.
                start = 1 if ast.get_docstring(node, clean=False) is not None else 0
                extra = ast.parse("".join(f"__{name} = {name}\n" for name in range(many)))
                node.body[start:start] = extra.body
        return ast.unparse(ast.fix_missing_locations(module))
    return [one(name, text) for name, text in modules]


def lines(modules, _):
    """Which lines of each can be reached."""
    def of(code):
        own = {line for _, _, line in code.co_lines() if line}
        return own.union(*(of(inner) for inner in code.co_consts if hasattr(inner, "co_lines")))
    return {name: sorted(of(compile(text, name, "exec", dont_inherit=True))) for name, text in modules}


for request in sys.stdin:
    what, number, modules = json.loads(request)
    try:
        answer = json.dumps({"compiled": compiled, "disguised": disguised, "lines": lines}[what](modules, number))
    except SyntaxError as error:
        answer = f"!{error.filename}:{error.lineno}: {error.msg}"
    except (MemoryError, RecursionError, ValueError) as error:
        answer = f"!{type(error).__name__}: {error}"
    print(answer, flush=True)
