# Loops that know one class of arrays and elements meet others: float32 after float64, ints, lists, buffers.
# kiln-test: needs=numpy
import array

import numpy as np
from _arrays import digest, exact, fresh, outcome


def total(a):
    t = 0
    for i in range(len(a)):
        t += a[i]
    return t


def scaled(a, factor):
    out = []
    for x in a:
        out.append(x * factor)
    return out


def copied(a, b):
    for i in range(len(b)):
        b[i] = a[i]
    return b


def dot(a, b):
    t = 0.0
    for i in range(len(a)):
        t += a[i] * b[i]
    return t


def alternating(arrays, count):
    """The class of the element changes from round to round."""
    t = 0
    kinds = set()
    for i in range(count):
        x = arrays[i % len(arrays)][i % 5]
        t = t + x
        kinds.add(type(t))
        if i % 97 == 0:
            t = 0
    return t, sorted(kind.__name__ for kind in kinds)


def accumulator(values):
    """Begins as a Python int and becomes what the values make of it."""
    low = high = None
    t = 0
    for x in values:
        if low is None or x < low:
            low = x
        if high is None or x > high:
            high = x
        t = t + x if x > 2 else t + int(x)
    return low, high, t


def narrowed(a, at):
    t = a.dtype.type(0)
    for i in range(len(a)):
        if i == at:
            t = float(t)
        if i == at + 300:
            t = int(t)
        t = t + a[i]
    return t


def two_dimensional(a):
    t = 0
    for i in range(len(a)):
        for j in range(len(a[i])):
            t += a[i][j]
    return t


def by_pair(a, rows, columns):
    t = 0
    for i in range(rows):
        for j in range(columns):
            t += a[i, j]
    return t


class Pairs(dict):
    def __missing__(self, key):
        return key[0] * key[1]


N = 4000
KINDS = [
    np.arange(N) % 9 / 4,
    (np.arange(N) % 9 / 4).astype("f4"),
    np.arange(N) % 9,
    (np.arange(N) % 9).astype("i4"),
    (np.arange(N) % 9).astype("f2"),
    [i % 9 for i in range(N)],
    [i % 9 / 4 for i in range(N)],
    array.array("d", [i % 9 / 4 for i in range(N)]),
    array.array("i", [i % 9 for i in range(N)]),
    range(N),
    tuple(range(N)),
    bytes(i % 9 for i in range(N)),
    (np.arange(N) % 9).astype(complex),
    np.array([i % 9 for i in range(N)], object),
    np.arange(2 * N)[::2],
    (np.arange(N) % 9).astype(">f8"),
    np.arange(N) % 2 == 0,
]
for a in KINDS + KINDS[:2]:
    print(exact(total(a)), *digest(scaled(a, 2)), exact(dot(a, KINDS[0])), exact(dot(KINDS[3], a)))
    print(exact(outcome(copied, a, np.zeros(N)))[-80:])
for a in reversed(KINDS):
    print(exact(fresh(total)(a)), exact(outcome(copied, a, np.zeros(N, np.int32)))[-80:], *digest(scaled(a, np.float32(0.5))))
print(exact(alternating(KINDS[:4], N)), exact(fresh(alternating)(KINDS[:8], N)), exact(fresh(alternating)(KINDS[12:14], N)))
for a in KINDS[:11]:
    print(exact(accumulator(a)), exact(fresh(accumulator)(a)))
for a in KINDS[:4]:
    print(exact(narrowed(a, 2500)), exact(fresh(narrowed)(a, 3000)))
for a in (np.ones((70, 70)), np.ones((70, 70), "i4"), [[1] * 70] * 70, [np.ones(70, "f4")] * 70, np.ones((3, 70, 2))):
    print(exact(two_dimensional(a)))
for a in (np.arange(4900).reshape(70, 70), np.asfortranarray(np.ones((70, 70), "f4")), Pairs(), np.ones((70, 71, 2))):
    print(exact(by_pair(a, 70, 70)))
