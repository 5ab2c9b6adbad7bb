# All augmented assignments, on locals, globals, list items, attributes, and on types that make them in place.

counter = 0
history = []


def on_locals(count):
    a, b, c, d, e, f, g, h = 1, 10**6, 1, 2.0, 7, 1, -1, 0
    for i in range(1, count):
        a += i
        b -= i
        c *= 3
        c %= 1000003
        d /= 1.0001
        d **= 0.999
        e //= 1 + (i & 1)
        e += i
        f <<= 1
        f &= 0xFFFF
        f |= 1
        g >>= 1
        g ^= i
        h @= Matrix()
    return a, b, c, d.hex(), e, f, g, h


class Matrix:
    def __rmatmul__(self, other):
        return other + 3


def on_globals(count):
    global counter, history
    for i in range(count):
        counter += i
        if i % 1000 == 0:
            history += [counter]


def on_items(count):
    cells = [0, 0.0, "", (), []]
    for i in range(count):
        cells[0] += i
        cells[1] -= i / 2
        cells[-1] += [i] if i % 2000 == 0 else []
        if i % 2500 == 0:
            cells[2] += "x"
            cells[3] += (i,)
    return cells


def aliasing(count):
    shared = []
    alias = shared
    for i in range(count):
        if i % 1000 == 0:
            alias += [i]
        if i == 4500:
            alias = alias + [-1]
    return shared, alias, shared is alias


class InPlace:
    def __init__(self):
        self.log = 0

    def __iadd__(self, other):
        self.log += other
        return self

    def __isub__(self, other):
        return self.log - other


def in_place_object(count):
    thing = InPlace()
    same = thing
    for i in range(count):
        thing += i
    kept = thing is same
    thing -= 1
    return kept, thing, same.log


print(on_locals(6000))
on_globals(6000)
print(counter, history)
print(on_items(6000))
print(aliasing(6000))
print(in_place_object(6000))

total = 0
for k in range(6000):
    total += k
    total ^= 5
print(total, k)
