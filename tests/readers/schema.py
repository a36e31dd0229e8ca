"""Checks a JSON document from standard input with the schema in the file argv[1], and prints what violates it."""

import json
import sys

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
errors = list(jsonschema.validators.validator_for(schema)(schema).iter_errors(json.load(sys.stdin)))
for error in errors:
    print(f"{error.json_path}: {error.message}")
sys.exit(bool(errors))
