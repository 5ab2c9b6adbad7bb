# Indices of every kind: negative ones, NumPy integers, bools, objects with __index__, and what can't be an index.
# kiln-test: needs=numpy
import collections

import numpy as np
from _arrays import INTEGERS, digest, exact, fresh, outcome

A = np.arange(50) * 3
GRID = np.arange(60).reshape(6, 10)


def by_negative(a, count):
    t = 0
    n = len(a)
    for i in range(count):
        t += a[-1 - i % n] * (i % 5)
    return t


def by_kept(a, indices):
    out = []
    for i in indices:
        out.append(a[i])
    return out


def by_element(a, indices):
    out = []
    for k in range(len(indices)):
        out.append(a[indices[k]])
        a[indices[k]] += 1
    return out


def by_pair(a, rows, columns):
    t = 0
    for k in range(len(rows)):
        t += a[rows[k], columns[k]]
        t -= a[rows[k], -1]
        t += a[-2, columns[k]]
    return t


def by_tuple(a, pairs):
    t = 0
    for pair in pairs:
        t = t * 3 % 1000 + a[pair]
    return t


def tried(a, keys):
    """Reads by each key and counts what comes: the class of the result or the exception with its text."""
    seen = collections.Counter()
    for key in keys:
        try:
            value = a[key]
        except Exception as error:
            seen[f"{type(error).__name__}: {error}"] += 1
        else:
            seen[exact(value)] += 1
    return dict(seen)


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Int(int):
    pass


print(exact(by_negative(A, 6000)))
for dtype in INTEGERS:
    indices = (np.arange(6000) % 50).astype(dtype)
    print(dtype, *digest(fresh(by_kept)(A, indices)))
    print(dtype, *digest(fresh(by_element)(A.copy(), indices)))
    if dtype[0] == "i":
        print(dtype, *digest(fresh(by_element)(A.copy(), -indices - 1)))
    rows, columns = (indices % 6).astype(dtype), (indices % 10).astype(dtype)
    print(dtype, exact(fresh(by_pair)(GRID, rows, columns)), exact(fresh(by_pair)(GRID, rows.tolist(), columns)))
pairs = [(i % 6, -1 - i % 10) for i in range(6000)]
print(exact(by_tuple(GRID, pairs)), exact(fresh(by_tuple)(GRID, [(np.uint8(i), np.int64(j)) for i, j in pairs[:4000]])))

ODD = {
    "bool": [True, False],
    "numpy bool": [np.True_, np.False_],
    "index objects": [Index(3), Index(-4)],
    "subclass of int": [Int(5), Int(-6)],
    "float": [1.0, 2.5],
    "numpy float": [np.float64(1.0), np.float32(2)],
    "none, ellipsis": [None, ..., ()],
    "0-d arrays": [np.array(4), np.array(-4)],
    "large": [2**63, -(2**63) - 1, 2**31, 2**200],
    "numpy large": [np.uint64(2**63), np.int64(-(2**63)), np.uint32(2**32 - 1)],
    "text": ["a", b"b"],
    "lists": [[1, 2], [0]],
    "too many": [(0, 0, 0), (1, 2, 3, 4)],
    "of each sort, by turns": [1, np.int8(2), True, slice(1, 3), 4.5, -50, 50, None],
}
for name, keys in ODD.items():
    for a in (A, GRID):
        print(name, a.ndim, fresh(tried)(a, keys * (4000 // len(keys))))


def warm_then(a, key, count):
    """A loop that knows its indices until the last round brings another one."""
    t = 0
    i = 0
    for k in range(count):
        t += 1 if a[i] is None else 2
        i = key if k == count - 2 else k % 40
    return t, exact(a[i])


for key in (49, -50, 50, -51, np.int16(7), True, Index(8), None, slice(2, 4), 2.0, np.array([1, 2]), "x", 2**70):
    print(outcome(fresh(warm_then), A, key, 5000))


def by_tuples(a, places):
    """Tuples of ints, of other lengths and of other items, in turn and from some round on."""
    found = []
    for i in range(120):
        place = places[i % len(places)] if i >= 40 else (i % 2, i % 3)
        try:
            found.append(exact(a[place]))
            a[place] = i
        except (IndexError, ValueError, TypeError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return digest(found), a.tolist()


for places in ([(1, 2), (0, -1)], [(1, 2), (2, 2)], [(1,), (0, 1)], [(0, 1, 2)], [(True, 1)], [(np.int64(1), 0)], [(0, slice(1, 3))],
               [(), (1, 1)], [(..., 1)], [(None, 1)], [(2**70, 0)], [([0, 1], 1)], [(1.0, 0)], [[0, 1], (0, 1)]):
    print(places, by_tuples(np.arange(6.0).reshape(2, 3), places))
