"""Records to JSON and back, through the C encoder, the Python one (indent), dataclasses and csv."""

import csv
import dataclasses
import io
import json
import sys

BENCH = {"group": "other", "size": 55, "small": 1, "numba": "strings and the standard library"}


@dataclasses.dataclass
class Item:
    name: str
    price: float
    count: int = 1

    def total(self) -> float:
        return self.price * self.count


@dataclasses.dataclass
class Order:
    number: int
    customer: str
    items: list
    paid: bool = False


def make_orders(k):
    return [Order(k * 100 + j, f"customer {j % 7}", [Item(f"item{i}", i * 1.25, j % 3 + 1) for i in range(1 + j % 4)],
                  j % 2 == 0) for j in range(40)]


def parse_order(data):
    if "items" in data:
        return Order(data["number"], data["customer"], data["items"], data["paid"])
    return Item(**data)


def to_csv(orders):
    output = io.StringIO()
    writer = csv.writer(output)
    writer.writerow(["number", "customer", "total"])
    for order in orders:
        writer.writerow([order.number, order.customer, sum(item.total() for item in order.items)])
    return output.getvalue()


def run(n):
    total = 0
    for k in range(n):
        orders = make_orders(k)
        plain = [dataclasses.asdict(order) for order in orders]
        text = json.dumps(plain, indent=2, sort_keys=True)
        again = json.loads(text, object_hook=parse_order)
        if again != orders:
            raise AssertionError("lost something")
        for row in csv.DictReader(io.StringIO(to_csv(again))):
            total += len(row["customer"]) + int(float(row["total"]))
        total += len(json.dumps(plain)) + len(text)
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
