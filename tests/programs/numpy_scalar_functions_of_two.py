# NumPy's functions of two scalars: extremes, powers, remainders, angles, comparisons, of mixed classes, with warnings.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, edge_values, fresh, heard, written

TWO = """
def loop(xs, ys):
    out = []
    for i in range(3100):
        out.append(np.{name}(xs[i % len(xs)], ys[(i // 3) % len(ys)]))
    return out
"""


def clamped(xs, low, high):
    """The usual way to keep a value between two others."""
    out = []
    for i in range(3100):
        out.append(np.minimum(np.maximum(xs[i % len(xs)], low), high))
        out.append(min(max(xs[i % len(xs)], low), high))
    return out


def distances(a, b):
    t = np.float64(0)
    for i in range(len(a)):
        t += np.hypot(a[i] - b[i], np.arctan2(a[i], b[i])) * np.power(a[i], 2) - np.abs(b[i]) ** np.float64(1.5)
    return [t]


def show(label, function, *arguments):
    result, warned = heard(function, *arguments)
    print(label, *(digest(result) if isinstance(result, list) else [repr(result)]), warned)


NAMES = "minimum maximum fmin fmax add subtract multiply divide floor_divide remainder fmod power float_power hypot".split()
NAMES += "arctan2 copysign nextafter logical_and less equal heaviside logaddexp".split()
for name in NAMES:
    for dtype in ("float64", "float32"):
        show(f"{name} {dtype}", written(TWO, name=name), edge_values(dtype), edge_values(dtype))
    show(f"{name} mixed", written(TWO, name=name), edge_values("float32"), [0.5, 2.0, -1.0])
    show(f"{name} ints", written(TWO, name=name), edge_values("int32"), np.array([1, 2, 5, 3]))
for name in ("bitwise_and", "left_shift", "right_shift", "gcd", "minimum", "floor_divide", "power"):
    for dtype in ("int8", "uint64"):
        show(f"{name} {dtype}", written(TWO, name=name), edge_values(dtype), edge_values(dtype)[:5])
for dtype in ("float64", "float32", "int16", "uint8"):
    show(f"clamped {dtype}", fresh(clamped), np.arange(200).astype(dtype), 10, 90)
    show(f"clamped {dtype}", fresh(clamped), np.arange(200).astype(dtype), np.float32(1.5), np.int16(70))
for dtype in ("float64", "float32", "int32"):
    a = (np.arange(3500) % 91).astype(dtype)
    show(f"distances {dtype}", fresh(distances), a, a[::-1])
