# The class of what NumPy scalars and Python numbers give together: every pair in a loop of its own.
# kiln-test: needs=numpy timeout=240
import numpy as np
from _arrays import NUMBERS, digest, fresh, heard

COUNT = 3200


def mixed(x, y):
    a = b = c = d = None
    for i in range(COUNT):
        a = x + y
        b = y - x
        c = x * y
        if i % 2:
            d = y + x
    return a, b, c, d


def grown(x, step):
    """The class of an accumulator may change in its first rounds."""
    t = 0
    for _ in range(COUNT):
        t += x
        t = t * step
    return t


PYTHON = {"bool": True, "int": 3, "large int": 2**40, "huge int": 2**70, "float": 0.75, "complex": 2.5 - 1j}
PAIRS = [
    ("int8", "uint8"),
    ("int8", "int64"),
    ("int32", "int64"),
    ("uint8", "int16"),
    ("uint32", "int32"),
    ("uint64", "int64"),
    ("uint64", "int8"),
    ("uint8", "float16"),
    ("int16", "float16"),
    ("int16", "float32"),
    ("int32", "float32"),
    ("int64", "float32"),
    ("uint64", "float64"),
    ("float16", "float32"),
    ("float32", "float64"),
    ("float32", "complex64"),
    ("float64", "complex64"),
    ("int64", "complex64"),
    ("bool", "uint8"),
    ("bool", "int64"),
    ("bool", "float32"),
    ("bool", "complex128"),
]


def show(label, x, y):
    result, warned = heard(fresh(mixed), x, y)
    print(label, *(digest(result)[1:] if isinstance(result, tuple) else [result]), warned)


def of(dtype):
    return np.dtype(dtype).type(5 if dtype != "bool" else True)


for dtype in NUMBERS:
    for name, number in PYTHON.items():
        show(f"{dtype}, python {name}:", of(dtype), number)
    show(f"{dtype}, itself:", of(dtype), of(dtype))
for first, second in PAIRS:
    show(f"{first}, {second}:", of(first), of(second))
for dtype in NUMBERS:
    for step in (1, 0.5, np.float32(0.5), np.dtype(dtype).type(1)):
        result, warned = heard(fresh(grown), of(dtype), step)
        print(dtype, type(step).__name__, *digest([result])[1:], warned)
