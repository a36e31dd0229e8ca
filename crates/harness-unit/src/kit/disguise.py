import ast
import json
import sys


def disguised(text, name):
    module = ast.parse(text, name)
    for node in list(ast.walk(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # A docstring stays the first statement.
            start = 1 if ast.get_docstring(node, clean=False) is not None else 0
            extra = ast.parse("".join(f"__{name} = {name}\n" for name in range(many)))
            node.body[start:start] = extra.body
    return ast.unparse(ast.fix_missing_locations(module))


many = int(sys.argv[1])
print(json.dumps([disguised(text, name) for name, text in json.load(sys.stdin)]))
