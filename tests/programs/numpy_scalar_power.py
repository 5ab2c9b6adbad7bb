# Powers of NumPy scalars: signs, zero to the zero, negative exponents of integers, overflow, roots of negatives.
# kiln-test: needs=numpy
import numpy as np
from _arrays import COMPLEX, FLOATS, INTEGERS, digest, edge_values, exact, fresh, heard

COUNT = 3600


def powers(xs, ys):
    out = []
    for i in range(COUNT):
        out.append(xs[i % len(xs)] ** ys[i % len(ys)])
    return out


def squares(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(x**2)
        out.append(x**1)
        out.append(x**0)
    return out


def roots(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(x**0.5)
        out.append(x**-1.0)
        out.append(2.0**x)
    return out


def negative_at_last(x, y):
    t = 0
    for i in range(COUNT):
        if i == COUNT - 1:
            y = -y
        t = x**y
    return t


def modular(xs):
    out = []
    for i in range(COUNT):
        out.append(pow(xs[i % len(xs)], 3))
    return out


def show(label, function, *arguments):
    result, warned = heard(fresh(function), *arguments)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [exact(result)], warned)


for dtype in INTEGERS:
    xs = edge_values(dtype)
    show(dtype, powers, xs, np.array([0, 1, 2, 3, 5, 7, 9], dtype))
    show(dtype, squares, xs)
    show(dtype, modular, xs)
    show(dtype, negative_at_last, np.dtype(dtype).type(3), 2)
for dtype in FLOATS:
    xs = edge_values(dtype)
    show(dtype, powers, xs, edge_values(dtype)[:13])
    show(dtype, powers, xs, [2, -1, 0, 3, 0.5, -0.5, 1e3])
    show(dtype, squares, xs)
    show(dtype, roots, xs)
    show(dtype, negative_at_last, np.dtype(dtype).type(0), 2)
for dtype in COMPLEX:
    show(dtype, powers, edge_values(dtype)[2:9], [2, 0.5, -1, 1j])
    show(dtype, squares, edge_values(dtype))
for dtype in ("int32", "int64", "uint8"):
    show(dtype, powers, [2, 3, 0, 1], np.array([0, 1, 2, 5], dtype))
    show(dtype, powers, [2.5, 0.0, -1.5], np.array([0, 1, 2, 5], dtype))
    show(dtype, roots, np.array([0, 1, 2, 5], dtype))
