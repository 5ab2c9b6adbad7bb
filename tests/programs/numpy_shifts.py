# Shifts of NumPy integers: bits that leave are lost without a warning, places beyond the element's are NumPy's own matter.
# kiln-test: needs=numpy
import numpy as np
from _arrays import INTEGERS, digest, edge_values, exact, fresh, heard, outcome

COUNT = 3000


def by_numpy(values, places):
    out = []
    for i in range(COUNT):
        x, n = values[i % len(values)], places[i % len(places)]
        out.append(x << n)
        out.append(x >> n)
    return out


def by_constants(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append((x << 3, x >> 3, x << 7, x >> 7, x << 0, x >> 0))
    return out


def by_many(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append((x << 8, x >> 16, x << 33, x >> 63, x << 64, x >> 70))
    return out


def in_strips(array, out):
    for i in range(len(array)):
        out[i] = (array[i] << 5) ^ (array[i] >> 2)
    return out


def in_strips_by_elements(array, places, out):
    for i in range(len(array)):
        out[i] = array[i] >> places[i]
    return out


def ints(limit):
    """Python's own: known places, and others, also out of range."""
    out = []
    for i in range(limit):
        x = (i - limit // 2) * 1234567
        out.append((x << 4, x >> 4, x << 40, x >> 62, x >> 100, x << (i % 50), x >> (i % 70), 1 << (i % 63)))
    return out


def int_strips(array, limit):
    total = 0
    for i in range(limit):
        total += (array[i] & 15) + (i << 3) - (i >> 2)
    return total


def raises(limit, at):
    done = []
    try:
        for i in range(limit):
            done.append(i << (3 if i < at else -1))
    except ValueError as error:
        done.append(repr(error))
    return done[-3:]


def overflows(limit, at):
    out = []
    for i in range(limit):
        out.append((1 << 61) << (1 if i < at else 4))
    return out[-1], out[0]


for dtype in INTEGERS:
    values = edge_values(dtype)
    kind = np.dtype(dtype).type
    few = [kind(n) for n in (0, 1, 2, 5, 7)]
    odd = [kind(n) for n in (0, 7, 8, 15, 16, 31, 32, 63, 64, 100)] + [kind(0) - kind(n) for n in (0, 0)]
    for name, result in (
        ("few", heard(fresh(by_numpy), values, few)),
        ("odd", heard(fresh(by_numpy), values, odd)),
        ("constants", heard(fresh(by_constants), values)),
        ("many", heard(fresh(by_many), values)),
    ):
        print(dtype, name, *digest([x for xs in result[0] for x in (xs if isinstance(xs, tuple) else (xs,))]), result[1])
    array = np.array([values[i % len(values)] for i in range(5000)], dtype)
    with np.errstate(all="ignore"):
        places = np.array([few[i % len(few)] for i in range(5000)], dtype)
    print(dtype, *digest(list(outcome(fresh(in_strips), array, np.zeros_like(array)))))
    print(dtype, *digest(list(fresh(in_strips_by_elements)(array, places, np.zeros_like(array)))))
    places[4321] = 100
    print(dtype, *digest(list(fresh(in_strips_by_elements)(array, places, np.zeros_like(array)))))
print(sum(hash(x) for x in ints(4000)), ints(4000)[-1])
print(exact(int_strips(np.arange(5000), 5000)))
print(raises(3000, 2900), overflows(3000, 2900))
