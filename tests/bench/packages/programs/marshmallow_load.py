"""marshmallow: nested documents loaded, validated and dumped."""

import datetime
import sys

from marshmallow import Schema, ValidationError, fields, post_load, validate

BENCH = {"size": 3500, "small": 5}


class Address(Schema):
    street = fields.String(required=True, validate=validate.Length(min=3))
    zip_code = fields.Integer(data_key="zip", validate=validate.Range(10_000, 99_999))


class Person(Schema):
    name = fields.String(required=True)
    born = fields.Date(load_default=datetime.date(2000, 1, 1))
    email = fields.Email()
    addresses = fields.List(fields.Nested(Address), load_default=list)
    scores = fields.Dict(keys=fields.String(), values=fields.Float())
    kind = fields.String(validate=validate.OneOf(["user", "admin"]))
    age = fields.Method("years", dump_only=True)

    def years(self, person):
        return 2024 - person["born"].year

    @post_load
    def tidy(self, data, **_):
        data["name"] = data["name"].strip().title()
        return data


def run(size):
    schema = Person()
    errors, total, last = [], 0, None
    for k in range(size):
        document = {"name": f" person {k}", "born": f"19{k % 90 + 10}-0{k % 9 + 1}-11",
                    "kind": "none" if k % 7 == 3 else "admin",
                    "email": f"p{k}@example.org" if k % 5 else "nobody", "scores": {"a": k, "b": str(k / 4)},
                    "addresses": [{"street": "st" * (j + 1 + k % 4), "zip": 10_000 + k * 91 * j % 90_000}
                                  for j in range(3)]}
        try:
            last = schema.dump(schema.load(document))
            total += last["age"] + sum(last["scores"].values())
        except ValidationError as error:
            errors.append(f"{k} {sorted(error.messages)}")
    return len(errors), errors[:2], total, last


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
