# NumPy's functions on scalars: roots, exponentials, rounding, tests, casts, of NumPy and Python numbers, with warnings.
# kiln-test: needs=numpy
import numpy as np
from _arrays import FLOATS, INTEGERS, digest, edge_values, fresh, heard, written

COUNT = 3100
ODD_FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-310, 1e308, -1e308, 710.0, -746.0, float("inf"), -float("inf"), float("nan")]


ONE = """
def loop(xs):
    out = []
    for i in range(3100):
        out.append(np.{name}(xs[i % len(xs)]))
    return out
"""


def by_attribute(xs):
    """Called as everybody writes them: np.NAME, looked up in each round."""
    t = 0.0
    for i in range(COUNT):
        x = xs[i % len(xs)]
        t += np.sqrt(x) + np.exp(-x) * np.sin(x) - np.cos(x)
        t = np.maximum(t, -50.0) if t < 0 else np.minimum(t, 1000.0)
        t += np.floor(x) - np.ceil(t) + np.abs(x) + np.hypot(x, t) + np.arctan2(t, x)
        if np.isnan(t) or not np.isfinite(t):
            t = np.float64(0.0)
    return t


def into_arrays(a, b):
    for i in range(len(a)):
        b[i] = np.log(a[i]) if a[i] > 0.5 else np.tanh(a[i])
        a[i] = np.sqrt(b[i] * b[i] + 1)
    return np.concatenate((a, b))


def classes_called(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(np.float32(x) * np.float64(2))
        out.append(np.int64(x) + np.uint8(3))
        out.append(np.bool_(x))
        out.append(np.complex64(x))
        out.append(np.int32(1) if np.isclose(x, 2.0) else np.int16(2))
    return out


def with_keywords(xs):
    out = []
    buffer = np.zeros(1)
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(np.add(x, 1, dtype=np.float32))
        out.append(np.multiply(x, x, out=buffer)[0])
        out.append(np.round(x, 1))
        out.append(np.clip(x, 0, 3))
        out.append(np.where(x > 2, x, 0)[()])
    return out


def show(label, function, *arguments):
    result, warned = heard(function, *arguments)
    print(label, *(digest(result) if isinstance(result, (list, np.ndarray)) else [repr(result)]), warned)


NAMES = "sqrt exp log sin cos tan arctan floor ceil trunc rint sign abs negative isnan isinf isfinite signbit square".split()
NAMES += "reciprocal log2 log10 log1p expm1 cbrt tanh arcsin spacing conjugate real logical_not positive".split()
for name in NAMES:
    for dtype in ("float64", "float32"):
        show(f"{name} {dtype}", written(ONE, name=name), edge_values(dtype))
for name in ("sqrt", "exp", "log", "sin", "floor", "abs", "isnan", "isfinite", "sign", "square"):
    show(f"{name} python", written(ONE, name=name), ODD_FLOATS)
    for dtype in ("int32", "uint8") if name in ("exp", "log", "square") else ("int64", "float16", "complex128", "bool"):
        show(f"{name} {dtype}", written(ONE, name=name), edge_values(dtype))
for dtype in FLOATS + ("int64", "uint8"):
    show(f"by attribute {dtype}", fresh(by_attribute), np.array([0, 1, 2, 3, 7], dtype))
show("by attribute, python", fresh(by_attribute), [0.25, 1.5, 7, True])
for dtype in FLOATS:
    show(f"into arrays {dtype}", fresh(into_arrays), np.linspace(0, 3, 3500).astype(dtype), np.zeros(3500, dtype))
for dtype in INTEGERS[:2] + ("float64", "float32"):
    show(f"classes {dtype}", fresh(classes_called), np.array([0, 1, 2, 100], dtype))
    show(f"keywords {dtype}", fresh(with_keywords), np.array([0, 1, 2, 5], dtype))
