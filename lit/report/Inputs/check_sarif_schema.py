"""check_sarif_schema.py SCHEMA FILE...: the files fit the schema of SARIF."""
import json
import sys

import jsonschema

from checks import fail


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


schema = read(sys.argv[1])
# Its own version; others say something else by "id" and "exclusiveMinimum".
validator = jsonschema.Draft4Validator(
    schema, format_checker=jsonschema.FormatChecker())
for path in sys.argv[2:]:
    for error in validator.iter_errors(read(path)):
        fail("%s: %s: %s" % (path, "/".join(map(str, error.absolute_path)),
                             error.message))
