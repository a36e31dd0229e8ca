import importlib._bootstrap_external as importing
import importlib.util
import json
import sys

compiled = []
for name, text in json.load(sys.stdin):
    try:
        code = compile(text, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        sys.exit(f"{name}:{error.lineno}: {error.msg}")
    compiled.append(list(importing._code_to_hash_pyc(code, importlib.util.source_hash(text.encode()), False)))
json.dump(compiled, sys.stdout)
