"""jsonschema: documents validated against a schema with references, formats and alternatives."""

import sys

import jsonschema

BENCH = {"size": 1000, "small": 5}

SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "definitions": {
        "money": {"type": "object", "required": ["amount", "unit"], "additionalProperties": False,
                  "properties": {"amount": {"type": "number", "minimum": 0}, "unit": {"enum": ["EUR", "USD"]}}},
        "line": {"type": "object", "required": ["name", "price"], "properties": {
            "name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+[0-9]*$"},
            "price": {"$ref": "#/definitions/money"},
            "count": {"anyOf": [{"type": "integer", "multipleOf": 2}, {"const": 1}]}}},
    },
    "type": "object",
    "required": ["id", "lines"],
    "properties": {"id": {"type": "integer"}, "lines": {"type": "array", "minItems": 1, "uniqueItems": True,
                                                         "items": {"$ref": "#/definitions/line"}}},
    "if": {"properties": {"id": {"maximum": 50}}},
    "then": {"required": ["note"]},
}


def run(size):
    validator = jsonschema.Draft7Validator(SCHEMA)
    bad = []
    for k in range(size):
        lines = [{"name": f"item{j}" if (j + k) % 9 else "X", "count": j % 4 or 1,
                  "price": {"amount": (j - k % 3) * 1.5, "unit": "EUR" if j % 5 else "GBP"}} for j in range(4)]
        order = {"id": k, "lines": lines, **({"note": "n"} if k % 2 else {})}
        found = sorted((list(map(str, error.absolute_path)), error.message, error.validator)
                       for error in validator.iter_errors(order))
        bad += [f"{k} {'/'.join(path)} {validator_name}" for path, _, validator_name in found]
    return len(bad), bad[:3], bad[-1]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
