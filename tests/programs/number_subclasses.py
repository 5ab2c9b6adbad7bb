# Subclasses of int, float, list, tuple, str, dict: overridden methods are honoured, results get Python's types.
# kiln-test: libraries=compiled
import enum


class Loud(int):
    def __add__(self, other):
        return Loud(int(self) + int(other) + 1)

    def __lt__(self, other):
        return not int.__lt__(self, other)

    def __repr__(self):
        return f"Loud({int(self)})"


class Quiet(int):
    pass


class Celsius(float):
    def __mul__(self, other):
        return "times"


class Backwards(list):
    def __getitem__(self, i):
        return list.__getitem__(self, -1 - i)

    def __len__(self):
        return 1000 + list.__len__(self)

    def __iter__(self):
        return iter([7, 8, 9])


class PlainList(list):
    pass


class Pair(tuple):
    def __getitem__(self, i):
        return "item"


class Color(enum.IntEnum):
    RED = 1
    GREEN = 2


class Permission(enum.Flag):
    R = 4
    W = 2


class Defaults(dict):
    def __missing__(self, key):
        return key * 2


def arithmetic(values, count):
    kinds = {}
    total = 0
    for i in range(count):
        x = values[i % len(values)]
        y = x + 1
        z = x * 2
        key = " ".join(type(v).__name__ for v in (x, y, z, -x, abs(x))) + f" {x < 2}"
        kinds[key] = kinds.get(key, 0) + 1
        if type(z) is not str:
            total += int(y) + int(z)
    return sorted(kinds.items()), total


def accumulate(start, count):
    total = start
    for i in range(count):
        total = total + i
    return total, type(total).__name__


def containers(count):
    total = 0
    b, p, t, d = Backwards([1, 2, 3]), PlainList([1, 2, 3]), Pair((1, 2)), Defaults(a=1)
    for i in range(count):
        total += b[i % 3] + len(b) + p[i % 3] + len(p) + len(t) + len(t[0]) + d[i] + d["a"]
        for x in b:
            total += x
        for x in p:
            total += x
        x, y = t
        total += x * y
        p[i % 3] += 1
        if i % 100 == 0:
            p.append(1)
    return total, len(p)


def as_index(count):
    items = [10, 20, 30]
    total = 0
    for i in range(count):
        total += items[Loud(i % 3)] + items[Quiet(1)] + items[Color.GREEN] + len(range(Quiet(5)))
        for j in range(Loud(2)):
            total += j
    return total


def enums(count):
    total = 0
    names = {}
    for i in range(count):
        c = Color.RED if i % 2 else Color.GREEN
        total += c + (c is Color.RED) + (c == 1) * 10
        names[c.name] = names.get(c.name, 0) + 1
        p = Permission.R | Permission.W if i % 3 else Permission.R
        total += Permission.W in p
    return total, names


def becomes_subclass(count):
    total = 0
    for i in range(count):
        x = Loud(i) if i % 3000 == 2999 else Quiet(i) if i % 1000 == 999 else i
        total += x + 1
        if x < 500:
            total -= 1
    return int(total), type(total).__name__


print(arithmetic([1, Loud(1), Quiet(1), Celsius(1.5), True, Color.RED], 9000))
for start in (0, Loud(0), Quiet(5), Celsius(0.5), True, Color.RED):
    print(accumulate(start, 6000))
print(containers(6000), as_index(6000), enums(6000), becomes_subclass(9000))
