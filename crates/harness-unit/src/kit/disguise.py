import ast
import sys

module = ast.parse(sys.stdin.read())
many = int(sys.argv[1])
for node in list(ast.walk(module)):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        # A docstring stays the first statement.
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        extra = ast.parse("".join(f"__{name} = {name}\n" for name in range(many)))
        node.body[start:start] = extra.body
print(ast.unparse(ast.fix_missing_locations(module)))
