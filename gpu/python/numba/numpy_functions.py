"""NumPy's functions of numbers, and of arrays to numbers, that are written in kernels' own language."""

import functools

from numba import types
from numba.cuda.written import define, device_function

# As numba has them: results are float64 where its are.
_TEXT = """
@device
def angle(z, deg=False):
    if deg:
        return wide(np.arctan2(z.imag, z.real)) * (180 / np.pi)
    return wide(np.arctan2(z.imag, z.real))

@device
def sinc(x):
    y = np.pi * (1e-20 if x == 0 else x)
    return np.sin(y) / y

@device
def round_float(a, decimals=0):
    return round(a, decimals)

@device
def round_int(a, decimals=0):
    return a if decimals == 0 else int(round(a, decimals))

@device
def round_complex(a, decimals=0):
    return complex(round(a.real, decimals), round(a.imag, decimals))

@device
def trace(a, offset=0):
    row, column = max(0, -offset), max(0, offset)
    total = 0
    for i in range(min(a.shape[0] - row, a.shape[1] - column)):
        total += a[row + i, column + i]
    return total

@device
def is_less(a, b):
    return a < b or (b != b and a == a)

@device
def searchsorted(a, v, side="left"):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if is_less(a[middle], v) if side == "left" else not is_less(v, a[middle]):
            low = middle + 1
        else:
            high = middle
    return low

@device
def digitize(x, bins, right=False):
    if len(bins) == 0 or not is_less(bins[len(bins) - 1], bins[0]):
        return searchsorted(bins, x, "left") if right else searchsorted(bins, x, "right")
    return len(bins) - (searchsorted(bins[::-1], x, "left") if right else searchsorted(bins[::-1], x, "right"))

@device
def clip(a, a_min, a_max):
    least = a if a_min is None or a != a else max(a, a_min)
    return least if a_max is None or least != least else min(least, a_max)

@device
def average(a, axis=None, weights=None):
    if weights is None:
        return a.mean()
    total = 0.0
    for value, weight in zip(a.flat, weights.flat):
        total += value * weight
    return total / weights.sum()

@device
def yes(x):
    return True

@device
def no(x):
    return False
"""


@functools.cache
def _functions() -> dict:
    import numpy

    return define("numpy", _TEXT, device=device_function, np=numpy, wide=numpy.float64)


def _of_number(name: str, given: list) -> str | None:
    kind = given[0]
    if name in ("round", "around"):
        return "round_" + ("complex" if isinstance(kind, types.Complex) else "float" if isinstance(kind, types.Float) else "int")
    if name == "clip" and isinstance(kind, types.Complex):
        return None
    return {"angle": "angle", "clip": "clip", "sinc": "sinc", "isscalar": "yes"}.get(name)


def _of_array(name: str, given: list, named: dict, values: tuple) -> str | None:
    array = given[0]
    if name in ("iscomplexobj", "isrealobj"):
        return "yes" if isinstance(array.dtype, types.Complex) == (name == "iscomplexobj") else "no"
    if name == "searchsorted":
        side = values[2] if len(given) > 2 else named.get("side", "left")
        if side not in ("left", "right"):
            raise ValueError(f"Invalid value given for 'side': {side}")
        return name if array.ndim == 1 and len(given) > 1 and isinstance(given[1], types.Number) else None
    return {"trace": "trace" if array.ndim == 2 else None, "average": "average", "isscalar": "no"}.get(name)


def find(callee, given: list, named: dict, values: tuple):
    """The Python function for a call with arguments of these types; None where there is none.

    named: what is constant among arguments by name, values: among all, each None where it is not.
    """
    name = getattr(callee, "__name__", "")
    found = None
    if name == "digitize":
        found = name if len(given) > 1 and isinstance(given[0], types.Number) and getattr(given[1], "ndim", 0) == 1 else None
    elif given and isinstance(given[0], (types.Number, types.Boolean)):
        found = _of_number(name, given)
    elif given and isinstance(given[0], types.Array):
        found = _of_array(name, given, named, values)
    return _functions()[found].py_func if found is not None else None
