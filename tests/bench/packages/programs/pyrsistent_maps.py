"""pyrsistent in Python: persistent maps, vectors and records that change by copies."""

import os
import sys

os.environ["PYRSISTENT_NO_C_EXTENSION"] = "1"

from pyrsistent import PRecord, field, freeze, pmap, pset, pvector, thaw  # noqa: E402

BENCH = {"size": 4500, "small": 20}


class Item(PRecord):
    name = field(type=str, mandatory=True)
    count = field(type=int, initial=0)


def run(size):
    table = pmap()
    order = pvector()
    names = pset()
    for k in range(size):
        item = Item(name=f"n{k % 97}", count=k)
        table = table.set(item.name, item.set(count=item.count + table.get(item.name, item).count % 7))
        order = order.append(k * 3 % 101).set(k // 2, k)
        names = names.add(item.name)
        if k % 50 == 49:
            table = table.remove(item.name)
    deep = freeze({"a": {"b": [1, 2, {"c": 3}]}})
    for k in range(size // 4):
        deep = deep.transform(["a", "b", 2, "c"], lambda value: value + 1, ["a", "b", 0], k)
    counts = sorted((name, item.count) for name, item in table.items())
    return len(names), sum(order), counts[:3], counts[-1], thaw(deep)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
