# Turned arrays, real and imaginary parts, `...`, new axes, steps that vary, item(): what they are where somebody asks for the object.
# kiln-test: needs=numpy
import sys

import numpy as np
from _arrays import digest, exact, heard, outcome, written

LOOP = """
def loop(a, n):
    out = []
    for i in range(n):
        v = {part}
        out.append(v)
    return out
"""
PARTS = ("a.T", "a.real", "a.imag", "a[1].T", "a.T[1]", "a.T.T", "a.real[0]", "a.imag[:, 1]", "a.T.real", "a[..., 1]", "a[1, ...]", "a[...]",
         "a[:, None]", "a[None]", "a[None, 1, None]", "a[..., None]", "a[::i % 3 + 1]", "a[1::i + 1, 0]", "a[:, ::i % 2 + 1]", "a[::-i - 1]",
         "a[::i % 2]", "a[..., None, :1]", "a[None, None, None]", "a[None, None, None, None]", "a[0, 1, ...]", "a[..., ...]", "a[True]",
         "a[1, ..., 2]", "a.T[None].T", "a.dtype", "a.item(i % 6)", "a.item(1, i % 3)", "a.item(-1)", "a.item(99)", "a.item()",
         "a.item((1, 2))", "a[1, 1].item()", "a[i % 2, 1].item()", "a[0].item(i % 4)", "a.T.item(i % 6)", "a.T.item(1, 0)", "a.flat[i % 6]")
USED = """
def loop(a, n):
    total = 0
    for i in range(n):
        total = total + complex({part}).real
    return total
"""
ELEMENTS = ("a.T[i % 3, 1]", "a.real[1, i % 3]", "a.imag[0, i % 3]", "a.T.real[2][1]", "a[..., 1][i % 2]", "a[None][0, 1, i % 3]",
            "a[:, None, ::2][1, 0, -1]", "a[::i % 3 + 1][0, 1]", "len(a[::i % 5 + 1])", "a.T.shape[0]", "a.real.size",
            "a.item(i % 6)", "a.item(1, -1 - i % 3)", "a[1, i % 3].item()")


def spelled(value):
    """Spells a value; of a view also where it lies, and whether it is of its array."""
    if not isinstance(value, np.ndarray):
        return exact(value)
    base = value.base
    offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0] if base is not None else 0
    return f"{exact(value)} {value.strides} {value.flags.num} {offset if base is not None else 'own'}"


def grid(dtype, kind):
    """Returns 2 x 3 elements."""
    a = (np.arange(6) * 5 % 7).reshape(2, 3)
    a = (a - 2j * a).astype(dtype) if np.dtype(dtype).kind == "c" else a.astype(dtype)
    if kind == "frozen":
        a.flags.writeable = False
    return np.asfortranarray(a) if kind == "F" else np.repeat(a, 2, axis=1)[:, ::2] if kind == "steps" else a


for dtype, kind in (("float64", "C"), ("complex128", "C"), ("complex64", "F"), ("complex128", "steps"), ("int16", "frozen")):
    for part in PARTS:
        a = grid(dtype, kind)
        result, warned = heard(written(LOOP, part=part), a, 30)
        texts = [spelled(value) for value in result] if isinstance(result, list) else result
        bases = {value.base is a for value in result if isinstance(value, np.ndarray)} if isinstance(result, list) else ""
        print(dtype, kind, part, digest(texts)[2:] if isinstance(texts, list) else texts, bases, warned)
for dtype in ("bool", "int8", "uint64", "float16", "float32", "complex64"):
    for element in ELEMENTS:
        print(dtype, element, exact(outcome(written(USED, part=element), grid(dtype, "C"), 40)))


def stored(a, n):
    """Stores through parts."""
    for i in range(n):
        a.real[i % 2, 1] = i
        a.imag[1] = -i
        a.T[2][i % 2] += 1
        a.real[:, 0] = a.imag[:, 1]
        a[..., 2].real = i
        a.T.imag[0, 0] = 0.5
    return a


def kept(a, n):
    """Parts that live on, and who holds whom."""
    parts = []
    for i in range(n):
        real, turned = a.real, a.T
        row = real[i % 2]
        if i % 9 == 8:
            parts.append((real, turned, row, real is a, turned is a.T, row.base is real.base, sys.getrefcount(row)))
        row[1] += 1
    return [[spelled(part) for part in group] for group in parts]


def outlived(n):
    """The array has no name: its part is all that holds it."""
    total = 0.0
    for i in range(n):
        part = (np.arange(6.0) * (1 + 1j) + i).imag
        turned = np.full((2, 3), i).T
        total += float(part[i % 6]) + int(turned[2, 1])
    return total


for dtype in ("complex64", "complex128"):
    print(exact(stored(grid(dtype, "C"), 50)), exact(stored(grid(dtype, "steps"), 50)))
for dtype in ("complex128", "float64"):
    print(kept(grid(dtype, "C"), 40))
print(outlived(60))
print(exact(outcome(stored, grid("complex64", "frozen"), 50)), exact(outcome(stored, np.zeros((2, 3), "complex64", order="F"), 50)))
