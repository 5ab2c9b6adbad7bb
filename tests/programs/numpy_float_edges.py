# Floats at their edges: signed zeros, infinities, subnormals, overflow and cancellation, in NumPy's three classes.
# kiln-test: needs=numpy
import numpy as np
from _arrays import FLOATS, digest, edge_values, exact, fresh, heard

COUNT = 4000


def pairs(xs):
    out = []
    for i in range(COUNT):
        x, y = xs[i % len(xs)], xs[i // len(xs) % len(xs)]
        out.append(x + y)
        out.append(x - y)
        out.append(x * y)
    return out


def with_python(xs, numbers):
    out = []
    for i in range(COUNT):
        x, y = xs[i % len(xs)], numbers[i // len(xs) % len(numbers)]
        out.append(x + y)
        out.append(y - x)
        out.append(x * y)
        out.append(-x)
    return out


def grown(x, factor):
    """Overflows in the middle of the loop, once."""
    seen = []
    for i in range(COUNT):
        x *= factor
        if i % 100 == 0:
            seen.append(x)
    return seen


def shrunk(x, factor):
    """Goes through the subnormals to zero."""
    seen = []
    for _ in range(COUNT):
        x *= factor
        if x < 1e-30:
            seen.append(x)
        if x == 0:
            x = -factor
    return seen


def zeros(zero):
    """Signed zeros keep their sign through sums, products, extremes, stores."""
    a = np.zeros(4, type(zero))
    out = []
    for i in range(COUNT):
        z = zero if i % 2 else -zero
        a[i % 4] = z
        a[0] += z
        out.append(z * 1 + a[i % 4])
        out.append(max(z, -z))
        out.append(z if z else 0.0 * z)
        out.append(abs(z) - z)
    return out


def compensated(a):
    """Kahan's sum: nothing may be reassociated or contracted."""
    total = a.dtype.type(0)
    rest = a.dtype.type(0)
    for i in range(len(a)):
        y = a[i] - rest
        t = total + y
        rest = (t - total) - y
        total = t
    return total, rest


def error_free(a, b):
    """Two-product by splitting: a fused multiply-add would show."""
    out = []
    factor = a.dtype.type(2**27 + 1 if a.dtype == np.float64 else 2**12 + 1)
    for i in range(len(a)):
        p = a[i] * b[i]
        c = factor * a[i]
        high = c - (c - a[i])
        low = a[i] - high
        d = factor * b[i]
        other = d - (d - b[i])
        out.append(((high * other - p) + high * (b[i] - other) + low * other) + low * (b[i] - other))
    return out


def horner(xs):
    out = []
    for i in range(len(xs)):
        x = xs[i]
        out.append(((((x * 0.3 + 1.7) * x - 2.9) * x + 0.1) * x - 1e-3) * x + 1)
    return out


def show(label, function, *arguments):
    result, warned = heard(fresh(function), *arguments)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [exact(result)], warned)


for dtype in FLOATS + ("complex64", "complex128"):
    xs = edge_values(dtype)
    show(dtype, pairs, xs)
    show(dtype, with_python, xs, [1, -3, 2.5, 1e300, 1e-300, -0.0, float("inf"), True, 2**60])
for dtype in FLOATS:
    make = np.dtype(dtype).type
    show(dtype, grown, make(1.5), make(1.01))
    show(dtype, grown, make(-1.5), 1.1)
    show(dtype, shrunk, make(1), make(0.75))
    show(dtype, zeros, make(0))
    a = (np.sin(np.arange(4000)) * 10.0 ** (np.arange(4000) % 5)).astype(dtype)
    show(dtype, compensated, a)
    show(dtype, horner, a)
    if dtype != "float16":
        show(dtype, error_free, a, a[::-1])
