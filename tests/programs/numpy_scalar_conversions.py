# NumPy scalars turned into Python numbers and each other, rounded, hashed, formatted, used as indices and by math.
# kiln-test: needs=numpy
import collections
import math

import numpy as np
from _arrays import FLOATS, INTEGERS, NUMBERS, digest, edge_values, exact, fresh, heard

COUNT = 3200


def to_int(xs):
    out = []
    for i in range(COUNT):
        out.append(int(xs[i % len(xs)]))
    return out


def to_others(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(float(x))
        out.append(bool(x))
        out.append(complex(x))
        out.append(x.item())
    return out


def each_failure(xs, function):
    """Counts the results and the exceptions of a function that fails for some of the values."""
    seen = collections.Counter()
    for i in range(COUNT):
        try:
            seen[exact(function(xs[i % len(xs)]))] += 1
        except (ValueError, OverflowError, TypeError, ZeroDivisionError) as error:
            seen[f"{type(error).__name__}: {error}"] += 1
    return sorted(seen.items())


def rounded(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(round(x, 1))
        out.append(round(x, -1))
        out.append(abs(x))
        out.append(+x)
    return out


def spelled(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(f"{x}|{x!r}|{str(x)}")
        out.append(hash(x) == hash(x.item()))
    return out


def between(xs, classes):
    out = []
    for i in range(COUNT):
        out.append(classes[i % len(classes)](xs[i % len(xs)]))
    return out


def stored(a, xs):
    for i in range(COUNT):
        a[i % len(a)] = xs[i % len(xs)]
    part = a[:10]
    for i in range(COUNT):
        part[...] = xs[i % len(xs)]
        a.flat[11 + i % 7] = xs[i % len(xs)]
    return a.tolist()


def as_index(xs, items):
    t = 0
    for i in range(COUNT):
        x = xs[i % len(xs)]
        t += items[x] + len(items[x:]) + len(items * x)
        for k in range(x):
            t += k
    return t


def tested(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append((isinstance(x, float), isinstance(x, int), isinstance(x, np.integer), isinstance(x, np.floating)))
        out.append(type(x) is np.float64 or type(x) is float)
    return out


def counted(xs):
    counts = {}
    for i in range(COUNT):
        x = xs[i % len(xs)]
        counts[x] = counts.get(x, 0) + 1
    return sorted((float(k), n) for k, n in counts.items() if k == k)


def by_math(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(math.sqrt(abs(x)))
        out.append(math.atan2(x, 2))
        out.append(math.isnan(x))
        out.append(math.copysign(1.0, x))
        out.append(math.sin(x) if abs(x) < 1e6 else x)
        out.append(math.hypot(x, 1))
    return out


def show(label, function, *arguments):
    result, warned = heard(fresh(function), *arguments)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [exact(result)], warned)


for dtype in NUMBERS:
    xs = edge_values(dtype)
    for function in (to_others, spelled, tested) if dtype[0] != "c" else (spelled, tested):
        show(dtype, function, xs)
    if dtype in INTEGERS:
        show(dtype, to_int, xs)
    if dtype not in ("bool", "float16"):
        show(dtype, rounded, xs)
    if dtype[0] != "c":
        show(dtype, counted, xs)
        show(dtype, by_math, xs)
    print(dtype, heard(fresh(each_failure), xs, int))
for dtype in FLOATS:
    xs = edge_values(dtype)
    for function in (round, math.floor, math.ceil, math.trunc, math.log, math.exp, math.sqrt):
        print(dtype, function.__name__, heard(fresh(each_failure), xs, function))
SMALL = [np.int8, np.uint8, np.int16, np.int32, np.int64, np.float32, np.float64, np.bool_]
for dtype in ("int64", "float64", "float32", "uint8"):
    show(dtype, between, edge_values(dtype), [np.int64, np.float32, np.float64, np.bool_, np.complex64])
    show(dtype, between, np.arange(40, dtype=dtype), SMALL)
MIDWAY = [(2**62 + (k << 39)) | (1 << 38) | 1 for k in range(6)] + [2**63 - 1, -(2**53) - 1, 2**24 + 1]  # a double of which is midway between float32s
for xs in (np.array(MIDWAY), np.array([abs(x) for x in MIDWAY], np.uint64), MIDWAY):
    show(type(xs[0]).__name__, between, xs, [np.float32, np.complex64])
    for dtype in ("float32", "complex64"):
        show(dtype, stored, np.zeros(50, dtype), xs)
show("python", between, [1, 2.5, True, 3, -0.0], [np.float32, np.int32, np.float64, np.int8, np.complex128])
for dtype in INTEGERS:
    show(dtype, as_index, np.arange(5, dtype=dtype), [10, 20, 30, 40, 50])
