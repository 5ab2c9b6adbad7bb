# round() and np.round of NumPy's and Python's numbers, with digits and without; degrees and radians.
# kiln-test: needs=numpy
import numpy as np
from _arrays import INTEGERS, digest, edge_values, fresh, heard

COUNT = 2000
FLOATS = list(edge_values("float64")) + [np.float64(x) for x in (0.5, 1.5, 2.5, -2.5, 2.675, 1e15 + 0.3, 16.055, 5e-324, 1e300, -1e308)]


def plain(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append((np.round(x), np.around(x), np.rint(x), np.trunc(x)))
    return out


def digits(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append((np.round(x, 2), np.around(x, 1), round(x, 3), np.round(x, 0), round(x, 0), np.round(x, 12), np.round(x, 22)))
    return out


def other_digits(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append((np.round(x, -1), round(x, -2), np.round(x, i % 4), np.round(x, decimals=2), np.round(x, 30)))
    return out


def angles(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append((np.radians(x), np.degrees(x), np.deg2rad(x), np.rad2deg(x)))
    return out


def in_strips(array, out):
    for i in range(len(array)):
        out[i] = np.round(array[i], 1) + np.round(array[i]) + np.radians(array[i]) + np.trunc(array[i])
    return out


for values in (FLOATS, [float(x) for x in FLOATS], list(edge_values("float32")), [3, -7, 10**17], [np.bool_(True), True]):
    for function in (plain, digits, other_digits, angles):
        result, warned = heard(fresh(function), values)
        print(function.__name__, *digest([x for xs in result for x in (xs if isinstance(xs, tuple) else (xs,))]), warned)
for dtype in INTEGERS:
    for function in (plain, digits, angles):
        result, warned = heard(fresh(function), list(edge_values(dtype)))
        print(dtype, function.__name__, *digest([x for xs in result for x in (xs if isinstance(xs, tuple) else (xs,))]), warned)
for dtype in ("float64", "float32"):
    array = (np.arange(6000) * 0.37 - 1000).astype(dtype)
    print(*digest(list(fresh(in_strips)(array, np.zeros_like(array)))))
array = np.arange(6000) * 0.37
array[4000] = 1.7e308
print(heard(fresh(in_strips), array, np.zeros_like(array))[1])
