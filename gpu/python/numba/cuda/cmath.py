"""cmath in kernels: its functions by those of math, on both parts."""

import math

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
def log(z, base=None):
    found = complex(math.log(abs(z)), math.atan2(z.imag, z.real))
    if base is None:
        return found
    return found / math.log(base)

@device
def log10(z):
    return complex(math.log10(abs(z)), math.atan2(z.imag, z.real) / LN10)

@device
def sqrt(z):
    x = z.real
    y = z.imag
    if x == 0 and y == 0:
        return complex(abs(x), y)
    if math.isinf(y):
        return complex(abs(y), y)
    if math.isinf(x) and not math.isnan(y):
        return complex(x, math.copysign(x * 0 if math.isnan(x) else y * 0, y)) if x > 0 else complex(y * 0, math.copysign(x, y))
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
    if abs(x) > 22:
        return complex(math.copysign(1.0, x), 4 * math.sin(y) * math.cos(y) * math.exp(-2 * abs(x)))
    tx = math.tanh(x)
    ty = math.tan(y)
    cx = 1 / math.cosh(x)
    below = 1 + (tx * ty) ** 2
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
def acosh(z):
    s1 = sqrt(complex(z.real - 1, z.imag))
    s2 = sqrt(complex(z.real + 1, z.imag))
    return complex(math.asinh(s1.real * s2.real + s1.imag * s2.imag), 2 * math.atan2(s1.imag, s2.real))

@device
def acos(z):
    s1 = sqrt(complex(1 - z.real, -z.imag))
    s2 = sqrt(complex(1 + z.real, z.imag))
    return complex(2 * math.atan2(s1.real, s2.real), math.asinh(s2.real * s1.imag - s2.imag * s1.real))

@device
def asinh(z):
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
    real = math.log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4
    imag = -math.atan2(-2 * y, (1 - x) * (1 + x) - y * y) / 2
    return complex(math.copysign(real, z.real), imag * math.copysign(1.0, z.real))

@device
def atan(z):
    turned = atanh(complex(-z.imag, z.real))
    return complex(turned.imag, -turned.real)
"""
FUNCTIONS = {
    name: value for name, value in define("cmath", _TEXT, device=device_function, math=math, LN10=math.log(10)).items()
    if hasattr(value, "py_func")
}
