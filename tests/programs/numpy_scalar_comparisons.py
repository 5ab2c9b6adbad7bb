# NumPy scalars compared with each other and with Python numbers; their truth; and, or, not, in, chains, branches.
# kiln-test: needs=numpy
import numpy as np
from _arrays import FLOATS, INTEGERS, NUMBERS, digest, edge_values, exact, fresh, heard

COUNT = 3200


def compared(xs, ys):
    out = []
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        out.append(x < y)
        out.append(x <= y)
        out.append(x == y)
        out.append(x != y)
        out.append(x > y)
        out.append(x >= y)
    return out


def equal(xs, ys):
    n = 0
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        n += x == y
        if x != y:
            n = n + 2
    return n


def branched(xs, ys):
    n = 0
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        if x < y:
            n += 1
        elif x == y:
            n += 10
        elif not x > y:
            n += 100000
        while x and n % 7 == 3:
            n += 2
    return n


def logical(xs, ys):
    out = []
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        out.append(x and y)
        out.append(x or y)
        out.append(not x)
        out.append((x > 1) & (y > 1) | (x == y))
        out.append(bool(x) is True)
    return out


def chained(xs, low, high):
    n = 0
    for i in range(COUNT):
        x = xs[i % len(xs)]
        n += 1 if low < x <= high else 3
        n += low <= x != high > low
        if x in (low, high, 5):
            n += 50
    return n


def ends(xs, ys):
    out = []
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        out.append(min(x, y))
        out.append(max(x, y, 1))
        out.append(x if x > y else y)
    return out


def show(label, function, *arguments):
    result, warned = heard(fresh(function), *arguments)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [exact(result)], warned)


PYTHON = [0, 1, -1, 3, 127, 128, 255, 256, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, -(2**70), 0.5, 2.0**63, True]
FLOAT_EDGES = [0.0, -0.0, 0.1, 1e-50, float("inf"), float("nan"), 3, 2**53 + 1]
for dtype in NUMBERS:
    xs = edge_values(dtype)
    if dtype not in ("complex64",):
        show(dtype, compared, xs, edge_values(dtype)[1:])
        show(dtype, branched, xs, edge_values(dtype)[:5])
    show(dtype, equal, xs, edge_values(dtype)[3:])
    show(dtype, logical, xs, edge_values(dtype)[1:])
for dtype in INTEGERS + ("bool",):
    show(dtype, compared, edge_values(dtype), PYTHON if dtype != "bool" else PYTHON[:7])
    show(dtype, ends, edge_values(dtype), [3, 5, True])
for dtype in FLOATS:
    show(dtype, compared, edge_values(dtype), FLOAT_EDGES)
    show(dtype, compared, FLOAT_EDGES, edge_values(dtype))
    show(dtype, ends, edge_values(dtype), FLOAT_EDGES)
    show(dtype, chained, edge_values(dtype), -1, np.float32(2.5))
for first, second in (("int8", "uint8"), ("uint64", "int64"), ("int64", "float64"), ("float32", "float64"), ("bool", "int8")):
    show(f"{first}, {second}", compared, edge_values(first), edge_values(second))
    show(f"{first}, {second}", ends, edge_values(first), edge_values(second))
show("chain", chained, np.arange(-5, 200, dtype="i4"), np.int64(3), 77)
show("chain", chained, np.arange(100, dtype="u1"), 3, 77)
show("text", equal, np.arange(5), ["1", None, 2])
