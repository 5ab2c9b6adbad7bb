"""cmath in kernels: its functions by those of math, on both parts."""

import functools
import math
import re

from numba import types
from numba.cuda.written import define, device_function

_TEXT = """
@device
def phase(z):
    return math.atan2(z.imag, z.real)

@device
def polar(z):
    return abs(z), math.atan2(z.imag, z.real)

@device
def rect(r, phi):
    if phi == 0 and not math.isfinite(r):
        return complex(r, phi * math.copysign(1.0, r))
    if not math.isfinite(phi):
        if r == 0:
            return complex(0.0, 0.0)
        if math.isinf(r):
            return complex(r, phi * 0)
    return complex(r * math.cos(phi), r * math.sin(phi))

@device
def isnan(z):
    return math.isnan(z.real) or math.isnan(z.imag)

@device
def isinf(z):
    return math.isinf(z.real) or math.isinf(z.imag)

@device
def isfinite(z):
    return math.isfinite(z.real) and math.isfinite(z.imag)

@device
def exp(z):
    size = math.exp(z.real)
    if z.imag == 0:
        return complex(size, z.imag)
    if math.isinf(z.real) and z.real < 0 and not math.isfinite(z.imag):
        return complex(size, z.imag * 0 if math.isfinite(z.imag) else size)
    return complex(size * math.cos(z.imag), size * math.sin(z.imag))

@device
def natural_log(z):
    return complex(math.log(abs(z)), math.atan2(z.imag, z.real))

@device
def log(z, base=None):
    found = natural_log(z)
    if base is None:
        return found
    return found / natural_log(base)

@device
def log10(z):
    return complex(math.log10(abs(z)), math.atan2(z.imag, z.real) / LN10)

@device
def log2(z):
    return complex(math.log2(abs(z)), math.atan2(z.imag, z.real) / LN2)

@device
def log1p(z):
    return natural_log(z + 1)

@device
def expm1(z):
    turn = math.sin(z.imag / 2)
    return complex(math.expm1(z.real) * math.cos(z.imag) - 2 * turn * turn, math.exp(z.real) * math.sin(z.imag))

@device
def sqrt(z):
    x = z.real
    y = z.imag
    if x == 0 and y == 0:
        return complex(abs(x), y)
    if math.isinf(y):
        return complex(abs(y), y)
    if math.isinf(x) and math.isfinite(y):
        return complex(x, math.copysign(0.0, y)) if x > 0 else complex(0.0, math.copysign(x, y))
    half = math.sqrt(math.hypot(x / 8, y / 8) + abs(x) / 8) * 2
    other = abs(y) / (2 * half)
    return complex(half, math.copysign(other, y)) if x >= 0 else complex(other, math.copysign(half, y))

@device
def cosh(z):
    if z.imag == 0:
        return complex(math.cosh(z.real), math.copysign(z.imag * 0, z.imag) * math.copysign(1.0, z.real))
    return complex(math.cosh(z.real) * math.cos(z.imag), math.sinh(z.real) * math.sin(z.imag))

@device
def sinh(z):
    if z.imag == 0:
        return complex(math.sinh(z.real), z.imag)
    return complex(math.sinh(z.real) * math.cos(z.imag), math.cosh(z.real) * math.sin(z.imag))

@device
def tanh(z):
    x = z.real
    y = z.imag
    if math.isinf(x):
        return complex(math.copysign(1.0, x), math.copysign(0.0, math.sin(2 * y)) if math.isfinite(y) else 0.0)
    if y == 0 and math.isnan(x):
        return z
    if not math.isfinite(y):
        return complex(y * 0, y * 0)
    if abs(x) > 22:
        return complex(math.copysign(1.0, x), 4 * math.sin(y) * math.cos(y) * math.exp(-2 * abs(x)))
    tx = math.tanh(x)
    ty = math.tan(y)
    cx = 1 / math.cosh(x)
    below = 1 + tx * ty * (tx * ty)
    return complex(tx * (1 + ty * ty) / below, ty / below * cx * cx)

@device
def cos(z):
    return cosh(complex(-z.imag, z.real))

@device
def sin(z):
    turned = sinh(complex(-z.imag, z.real))
    return complex(turned.imag, -turned.real)

@device
def tan(z):
    turned = tanh(complex(-z.imag, z.real))
    return complex(turned.imag, -turned.real)

@device
def is_large(z):
    return math.isinf(z.real + z.real + z.real + z.real) or math.isinf(z.imag + z.imag + z.imag + z.imag)

@device
def log_of_twice(z):
    return math.log(math.hypot(z.real / 2, z.imag / 2)) + 2 * LN2

@device
def acosh(z):
    if is_large(z):
        return complex(log_of_twice(z), math.atan2(z.imag, z.real))
    s1 = sqrt(complex(z.real - 1, z.imag))
    s2 = sqrt(complex(z.real + 1, z.imag))
    return complex(math.asinh(s1.real * s2.real + s1.imag * s2.imag), 2 * math.atan2(s1.imag, s2.real))

@device
def acos(z):
    if is_large(z):
        return complex(math.atan2(abs(z.imag), z.real), -math.copysign(log_of_twice(z), z.imag))
    if z.real == 0 and math.isnan(z.imag):
        return complex(PI / 2, z.imag)
    s1 = sqrt(complex(1 - z.real, -z.imag))
    s2 = sqrt(complex(1 + z.real, z.imag))
    return complex(2 * math.atan2(s1.real, s2.real), math.asinh(s2.real * s1.imag - s2.imag * s1.real))

@device
def asinh(z):
    if is_large(z):
        return complex(math.copysign(log_of_twice(z), z.real), math.atan2(z.imag, abs(z.real)))
    if z.imag == 0 and math.isnan(z.real):
        return z
    s1 = sqrt(complex(1 + z.imag, -z.real))
    s2 = sqrt(complex(1 - z.imag, z.real))
    return complex(math.asinh(s1.real * s2.imag - s2.real * s1.imag), math.atan2(z.imag, s1.real * s2.real - s1.imag * s2.imag))

@device
def asin(z):
    turned = asinh(complex(-z.imag, z.real))
    return complex(turned.imag, -turned.real)

@device
def atanh(z):
    x = abs(z.real)
    y = z.imag * math.copysign(1.0, z.real)
    if math.isnan(x) and math.isfinite(y) or math.isnan(y) and math.isfinite(x) and x != 0:
        return complex(x + y, x + y)
    if x == 1 and y != 0 and y * y == 0:
        return complex(math.copysign(-math.log(math.sqrt(abs(y)) / math.sqrt(math.hypot(y, 2))), z.real), math.copysign(PI / 4, z.imag))
    if math.isinf((x + x) * (x + x)) or math.isinf((y + y) * (y + y)):
        part = math.hypot(x / 2, y / 2)
        real = math.copysign(0.0 if math.isinf(part) else x / 4 / part / part, z.real)
        return complex(real, z.imag if math.isnan(z.imag) else math.copysign(PI / 2, z.imag))
    if x == 0 and math.isnan(y):
        return z
    real = math.log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4
    imag = -math.atan2(-2 * y, (1 - x) * (1 + x) - y * y) / 2
    return complex(math.copysign(real, z.real), imag * math.copysign(1.0, z.real))

@device
def atan(z):
    turned = atanh(complex(-z.imag, z.real))
    return complex(turned.imag, -turned.real)
"""


def _functions(name: str, text: str, number) -> dict:
    scope = {"LN2": number(math.log(2)), "LN10": number(math.log(10)), "PI": number(math.pi)}
    defined = define(name, text, device=device_function, math=math, float32=types.float32, **scope)
    return {name: value.py_func for name, value in defined.items() if hasattr(value, "py_func")}


@functools.cache
def _wide() -> dict:
    return _functions("cmath", _TEXT, float)


@functools.cache
def _narrow() -> dict:
    """Those of complex64: all of their numbers are float32."""
    import numpy

    return _functions("cmath of complex64", re.sub(r"\b\d+(\.\d+)?\b", r"float32(\g<0>)", _TEXT), numpy.float32)


def find(name: str, given: list):
    """The Python function for one of cmath's of arguments of these types; None where there is none."""
    narrow = {types.complex64, types.float32, types.none}
    return (_narrow() if narrow.issuperset(given) else _wide()).get(name)
