"""References that go together: several to one object, to containers that hold what goes beside them, and to what keeps it alive."""

import sys
import weakref

log = []


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append((self.name, sys._getframe(1).f_code.co_name, sys._getframe(1).f_lineno - sys._getframe(1).f_code.co_firstlineno))


class Holder:
    def __init__(self, *items):
        self.items = items


def twice(i):
    a = Ends(i)
    b = a
    c = b
    return i


def held_beside(i):
    a = Ends(i)
    items = [a, a, a]
    return len(items)


def held_deep(i):
    a = Ends(i)
    b = a
    outer = ({"a": a, "b": [b, a]}, Holder(a, [b]))
    return len(outer)


def held_before(i):
    items = [0, 0]
    inner = {"items": items}
    items[0] = Ends(i)
    items[1] = items[0]
    a = items[0]
    return len(inner)


def survives(i, kept):
    a = Ends(i)
    b = [a, a]
    kept.append(a)
    return len(b)


def iterates(i):
    items = [Ends(i), Ends(-i)]
    total = 0
    for item in items:
        total += item.name
    other = iter(items)
    next(other)
    return total


def many(i):
    a = [1]; b = (2, "x"); c = {"y": 3}; d = {4}; e = [[5]]; f = ([6], [7]); g = Holder([8]); h = {"z": [9]}
    p = a; q = e; r = g
    return len(a) + len(f) + len(q) + i


def refers(i, called):
    a = Holder(i)
    weak = weakref.ref(a, called.append)
    called.append(weak)
    b = [a, a]
    return len(b)


def displaces(i, table):
    a = Ends(i)
    table["x"] = [a, a]
    table["y"] = a
    table["x"] = None
    table["y"] = table["x"]
    return i


def main():
    total = 0
    kept = []
    called = []
    table = {}
    for i in range(300):
        total += many(i)
        if i % 20 == 7:
            total += twice(i) + held_beside(i) + held_deep(i) + held_before(i) + survives(i, kept) + iterates(i) + displaces(i, table)
            total += refers(i, called)
            if len(kept) > 3:
                kept.clear()
    print(total, len(log), len(called))
    for entry in log:
        print(*entry)


main()
for _ in range(2000):
    many(1)
for _ in range(400):
    twice(1)
    held_deep(1)
    held_before(1)
    iterates(1)
print(len(log), log[-8:])
