# Bit operators and shifts of NumPy integers and bools: mixed classes, shifts by too much and by negative counts.
# kiln-test: needs=numpy
import numpy as np
from _arrays import INTEGERS, digest, edge_values, fresh, heard

COUNT = 3600


def bits(xs, ys):
    out = []
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        out.append(x & y)
        out.append(x | y)
        out.append(x ^ y)
    return out


def inverted(xs):
    out = []
    for i in range(COUNT):
        out.append(~xs[i % len(xs)])
    return out


def shifts(xs, counts):
    out = []
    for i in range(COUNT):
        x, n = xs[i % len(xs)], counts[i % len(counts)]
        out.append(x << n)
        out.append(x >> n)
    return out


def scrambled(x, rounds):
    """xorshift in the dtype itself."""
    out = []
    for _ in range(rounds):
        x ^= x << type(x)(5)
        x ^= x >> type(x)(3)
        x ^= x << type(x)(1)
        out.append(x)
    return out


def too_far_at_last(x, n):
    t = 0
    for i in range(COUNT):
        if i == COUNT - 1:
            n = n * 50
        t = x << n | x >> n
    return t


def refused(xs, ys):
    """Operands for which some of the operators do not exist."""
    seen = {}
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        try:
            text = repr((x & y, x << y))
        except (TypeError, OverflowError) as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def show(label, function, *arguments):
    result, warned = heard(fresh(function), *arguments)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [repr(result)], warned)


for dtype in INTEGERS + ("bool",):
    xs = edge_values(dtype)
    show(dtype, bits, xs, edge_values(dtype)[1:])
    show(dtype, inverted, xs)
    show(dtype, shifts, xs, np.array([0, 1, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100], np.dtype("u1") if dtype == "bool" else dtype))
    show(dtype, bits, xs, [1, 2, 0, 7, 100])
    show(dtype, shifts, xs, [0, 1, 2, 5])
    show(dtype, bits, xs, [True, False])
    if dtype != "bool":
        show(dtype, scrambled, np.dtype(dtype).type(77), 3500)
        show(dtype, too_far_at_last, np.dtype(dtype).type(9), np.dtype(dtype).type(2))
for first, second in (("int8", "uint8"), ("int32", "int64"), ("uint32", "int64"), ("uint64", "uint8"), ("bool", "int16")):
    show(f"{first}, {second}", bits, edge_values(first), edge_values(second))
    show(f"{first}, {second}", shifts, edge_values(first), np.array([0, 1, 5], second))
for dtype in ("int16", "int64"):
    show(dtype, shifts, edge_values(dtype), np.array([-1, 3, -64], dtype))
    show(dtype, shifts, [1, -5, 2**14], np.array([1, 3, 4], dtype))
for dtype in ("float64", "complex64"):
    show(dtype, refused, edge_values(dtype), edge_values(dtype))
    show(dtype, refused, np.array([1, 2]), edge_values(dtype))
    show(dtype, refused, edge_values(dtype), np.array([1, 2]))
show("uint64, int64", refused, edge_values("uint64"), edge_values("int64"))
show("python", refused, edge_values("int8"), [1, 200, -1, 2.5, None, "x", 2**70])
