# Values of every class stored into elements of every dtype: what becomes of them, what warns, what is refused.
# kiln-test: needs=numpy
import fractions

import numpy as np
from _arrays import FLOATS, INTEGERS, NUMBERS, digest, edge_values, fresh, heard

COUNT = 3300


def store(a, values):
    for i in range(COUNT):
        a[i % 61] = values[i % len(values)]
    return a.tolist()


def store_pairs(a, values):
    for i in range(COUNT):
        a[i % 7, i % 5] = values[i % len(values)]
    return a.tolist()


def refused_now_and_then(a, values):
    """Counts what each value does: the element that it leaves, or the exception."""
    seen = {}
    for i in range(COUNT):
        value = values[i % len(values)]
        a[3] = 1
        try:
            a[3] = value
            text = repr(a[3])
        except (TypeError, ValueError, OverflowError, IndexError) as error:
            text = f"{type(error).__name__}: {error}"
        key = f"{type(value).__name__} {value!r}: {text}"
        seen[key] = seen.get(key, 0) + 1
    return sorted(seen.items())


def refused_at_last(a, good, bad):
    for i in range(COUNT):
        a[i % len(a)] = good if i < COUNT - 1 else bad
    return a.tolist()


class Number:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)

    def __int__(self):
        return self.value

    def __index__(self):
        return self.value

    def __repr__(self):
        return f"Number({self.value})"


def show(label, function, a, *arguments):
    result, warned = heard(fresh(function), a, *arguments)
    print(label, function.__name__, *digest(result) if isinstance(result, list) else [result], warned)


PYTHON = {"ints": [3, 0, 100, 1], "floats": [2.5, -0.0, 99.99, 0.1], "bools": [True, False], "complex": [1j, 2.5 + 1j]}
for dtype in NUMBERS:
    for name, values in PYTHON.items():
        if name != "complex" or dtype[0] == "c":
            show(f"{dtype} from {name}", store, np.zeros(61, dtype), values)
    show(f"{dtype} of two axes", store_pairs, np.zeros((7, 5), dtype), [5, 2.5, True, np.float32(3), np.int8(7)])
for dtype in INTEGERS + FLOATS + ("bool",):
    for source in ("float64", "float32", "int64", "uint64", "int8", "bool"):
        if source != dtype and (source in ("float64", "int64") or dtype in ("uint8", "float32", "int32")):
            show(f"{dtype} from {source}", store, np.zeros(61, dtype), (np.arange(100) % (2 if source == "bool" else 100)).astype(source))
            print(dtype, source, heard(fresh(refused_now_and_then), np.zeros(5, dtype), edge_values(source)))
ODD = [None, "7", "x", b"8", [1], (2, 3), [], np.array(4), np.array([5]), np.array([1, 2]), Number(6), 2**40, -1, 2**70, 1e30]
ODD += [float("nan"), 1j, np.complex64(1), np.str_("3"), fractions.Fraction(7, 2), np.datetime64("2026-01-01"), object]
for dtype in ("float64", "float32", "int64", "uint8", "bool", "complex128"):
    print(dtype, heard(fresh(refused_now_and_then), np.zeros(5, dtype), ODD))
    for bad in (None, "x", 2**70, 1j, [1, 2], Number(3)):
        show(f"{dtype}, {bad!r}", refused_at_last, np.zeros(11, dtype), 1, bad)
