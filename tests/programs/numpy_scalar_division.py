# Division of NumPy scalars: / // % and divmod, each pair of signs and zeros, with its value, class and warning.
# kiln-test: needs=numpy
import numpy as np
from _arrays import COMPLEX, FLOATS, INTEGERS, digest, edge_values, exact, fresh, heard

COUNT = 4000


def true(xs, ys):
    out = []
    for i in range(COUNT):
        out.append(xs[i % len(xs)] / ys[i % len(ys)])
    return out


def floor(xs, ys):
    out = []
    for i in range(COUNT):
        out.append(xs[i % len(xs)] // ys[i % len(ys)])
    return out


def remainder(xs, ys):
    out = []
    for i in range(COUNT):
        out.append(xs[i % len(xs)] % ys[i % len(ys)])
    return out


def both(xs, ys):
    out = []
    for i in range(COUNT):
        out.extend(divmod(xs[i % len(xs)], ys[i % len(ys)]))
    return out


def zero_at_last(x, y, count):
    """Quiet rounds first: the zero divisor comes when the loop is compiled."""
    t = x
    for i in range(count):
        if i == count - 2:
            y = y - y
        t = x / y
    return t, x // y, x % y


def zero_at_last_floor(x, y, count):
    t = x
    for i in range(count):
        if i == count - 2:
            y = y * 0
        t = x // y + x % y
    return t


def show(label, function, xs, ys):
    result, warned = heard(fresh(function), xs, ys)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [result], warned)


for dtype in INTEGERS + FLOATS:
    xs = edge_values(dtype)
    ys = np.resize(edge_values(dtype), 13)
    for function in (true, floor, remainder, both):
        show(dtype, function, xs, ys)
for dtype in COMPLEX:
    for function in (true, floor):
        show(dtype, function, edge_values(dtype), np.resize(edge_values(dtype), 13))
PYTHON_INTS = [3, -3, 1, 0, -1, 7, 100]
PYTHON_FLOATS = [2.5, -0.5, 0.0, -0.0, 1e300, float("inf"), float("nan")]
for dtype in ("int8", "int32", "int64", "float32", "float64"):
    xs = edge_values(dtype)
    for function in (true, floor, remainder):
        show(f"{dtype} by python ints", function, xs, PYTHON_INTS)
        show(f"{dtype} by python floats", function, xs, PYTHON_FLOATS)
        show(f"python ints by {dtype}", function, PYTHON_INTS, xs)
        show(f"python floats by {dtype}", function, PYTHON_FLOATS, xs)
for x, y in ((np.float64(1), np.float64(2)), (np.int32(-5), np.int32(3)), (np.float32(0), np.float32(1)), (1, np.int64(1))):
    for function in (zero_at_last, zero_at_last_floor):
        result, warned = heard(fresh(function), x, y, 4000)
        print(function.__name__, exact(result), warned)
