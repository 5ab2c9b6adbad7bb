"""NumPy's ufuncs of real numbers that are written in kernels' own language."""

import functools

from numba import types
from numba.cuda.written import define, device_function

# T is the type of the result, as NumPy chooses it by the arguments' types.
_TEXT = """
@device
def sign(x):
    return T(x) if x == 0 or x != x else T(1) if x > 0 else T(-1)

@device
def signbit(x):
    return math.copysign(1.0, wide(x)) < 0

@device
def square(x):
    return T(x * x)

@device
def reciprocal(x):
    return T(np.true_divide(T(1), x))

@device
def reciprocal_int(x):
    return T(x) if x == 1 or x == -1 else T(0)

@device
def gcd(x, y):
    a, b = abs(T(x)), abs(T(y))
    while b != 0:
        a, b = b, a % b
    return T(a)

@device
def lcm(x, y):
    return T(0) if x == 0 or y == 0 else T(abs(T(x) // gcd(x, y) * T(y)))

@device
def logaddexp(x, y):
    more, less = (T(x), T(y)) if x > y else (T(y), T(x))
    return T(more + math.log(2.0)) if x == y else T(more + math.log1p(math.exp(less - more)))

@device
def logaddexp2(x, y):
    more, less = (T(x), T(y)) if x > y else (T(y), T(x))
    return T(more + 1) if x == y else T(more + math.log1p(math.exp2(less - more)) / math.log(2.0))

@device
def float_power(x, y):
    return np.power(wide(x), wide(y))

@device
def spacing(x):
    number = T(x)
    return np.nextafter(number, np.copysign(T(math.inf), T(1) if number == 0 else number)) - number
"""
_OF_INTEGERS = {"gcd", "lcm"}
_KEEP_INTEGERS = {"sign", "square", "reciprocal"}


@functools.cache
def _functions(kind: types.Type) -> dict:
    import math

    import numpy

    return define(f"ufuncs {kind}", _TEXT, device=device_function, np=numpy, math=math, wide=types.float64, T=kind)


def _float_for(kind: types.Type) -> types.Type | None:
    """The float whose loop NumPy uses; None for half ones."""
    if isinstance(kind, types.Float):
        return kind if kind in (types.float32, types.float64) else None
    return types.float64


def _result(name: str, given: list) -> types.Type | None:
    if all(isinstance(kind, types.Integer) for kind in given) and name in _OF_INTEGERS | _KEEP_INTEGERS:
        signed = {kind.signed for kind in given}
        widest = max(given, key=lambda kind: kind.bitwidth)
        return widest if len(signed) == 1 else types.int64
    floats = [_float_for(kind) for kind in given]
    if name in _OF_INTEGERS or None in floats:
        return None
    return types.float32 if all(kind == types.float32 for kind in floats) else types.float64


def find(name: str, given: list):
    """The Python function for a ufunc of these types; None where there is none."""
    if not given or not all(isinstance(kind, (types.Integer, types.Float, types.Boolean)) for kind in given):
        return None
    kind = _result(name, given)
    if kind is None:
        return None
    is_whole = name == "reciprocal" and isinstance(kind, types.Integer)
    found = _functions(kind).get("reciprocal_int" if is_whole else name)
    return getattr(found, "py_func", None)
