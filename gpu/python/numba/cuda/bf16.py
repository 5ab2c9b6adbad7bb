"""numba.cuda.bf16: bfloat16, and functions of it in kernels. Each is made when it is first named."""

import functools
import math

from numba.cuda.written import define, device_function
from numba.types import bfloat16

_BINARY = {"hadd": "+", "hsub": "-", "hmul": "*", "hdiv": "/"}
_COMPARISONS = {"heq": "==", "hne": "!=", "hgt": ">", "hge": ">=", "hlt": "<", "hle": "<="}
_MATH = {
    "hsin": "math.sin(x)", "hcos": "math.cos(x)", "hlog": "math.log(x)", "hlog2": "math.log2(x)", "hlog10": "math.log10(x)", "hexp": "math.exp(x)",
    "hexp2": "math.exp2(x)", "hexp10": "float32(10) ** x", "hfloor": "math.floor(x)", "hceil": "math.ceil(x)", "hsqrt": "math.sqrt(x)",
    "hrsqrt": "float32(1) / math.sqrt(x)", "hrcp": "float32(1) / x", "hrint": "np.rint(x)", "htrunc": "math.trunc(x)", "htanh": "math.tanh(x)",
    "htanh_approx": "math.tanh(x)", "habs": "math.fabs(x)", "hneg": "-x",
}
_OTHERS = {
    "hfma": ("a, b, c", "bfloat16(fused(float64(bfloat16(a)), float64(bfloat16(b)), float64(bfloat16(c))))"),
    "hfma_sat": ("a, b, c", "saturated(hfma(a, b, c))"), "hfma_relu": ("a, b, c", "positive(hfma(a, b, c))"),
    "hmax": ("a, b", "larger(bfloat16(a), bfloat16(b))"), "hmin": ("a, b", "-larger(-bfloat16(a), -bfloat16(b))"),
    "hmax_nan": ("a, b", "bfloat16(np.maximum(float32(bfloat16(a)), float32(bfloat16(b))))"),
    "hmin_nan": ("a, b", "bfloat16(np.minimum(float32(bfloat16(a)), float32(bfloat16(b))))"),
    "hisnan": ("a", "math.isnan(float32(bfloat16(a)))"), "hisinf": ("a", "int32(math.copysign(float32(1), float32(bfloat16(a)))) if math.isinf(float32(bfloat16(a))) else int32(0)"),
    "bfloat16_to_float32": ("a", "float32(bfloat16(a))"), "float32_to_bfloat16": ("a", "bfloat16(float32(a))"),
    "float64_to_bfloat16": ("a", "bfloat16(float64(a))"), "bfloat16_as_uint16": ("a", "bits_of(bfloat16(a))"),
    "bfloat16_as_int16": ("a", "int16(bits_of(bfloat16(a)))"), "uint16_as_bfloat16": ("a", "of_bits(uint16(a))"), "int16_as_bfloat16": ("a", "of_bits(uint16(int16(a)))"),
    "bfloat16_to_int8_rz": ("a", "cut(float32(bfloat16(a)), int8, -128.0, 127.0)"), "bfloat16_to_uint8_rz": ("a", "cut(float32(bfloat16(a)), uint8, 0.0, 255.0)"),
}
_WAYS = {"rn": ("np.rint({})", None), "rz": ("{}", 0), "rd": ("math.floor({})", -1), "ru": ("math.ceil({})", 1)}


def _fill() -> None:
    """The functions that come in families."""
    for name, operator in _BINARY.items():
        value = f"bfloat16(a) {operator} bfloat16(b)"
        _OTHERS[name] = _OTHERS[f"{name}_rn"] = ("a, b", value)
        _OTHERS[f"{name}_sat"] = ("a, b", f"saturated({value})")
    for name, operator in _COMPARISONS.items():
        _OTHERS[name] = ("a, b", f"bfloat16(a) {operator} bfloat16(b)")
    for name, value in _MATH.items():
        _OTHERS[name] = ("a", f"bfloat16({value.replace('(x)', '(float32(bfloat16(a)))').replace(' x', ' float32(bfloat16(a))').replace('-x', '-float32(bfloat16(a))')})")
    for bits in (16, 32, 64):
        for kind in (f"int{bits}", f"uint{bits}"):
            least, most = (0, 2**bits - 1) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            for suffix, (whole, way) in _WAYS.items():
                _OTHERS[f"bfloat16_to_{kind}_{suffix}"] = ("a", f"cut({whole.format('float32(bfloat16(a))')}, {kind}, {float(least)}, {float(most)})")
                near = f"bfloat16({kind}(a))"
                _OTHERS[f"{kind}_to_bfloat16_{suffix}"] = ("a", near if way is None else f"toward({near}, missing_of_{kind[0]}({kind}(a), {near}), {way})")
    for suffix, (_, way) in _WAYS.items():
        near = "bfloat16(float32(a))"
        _OTHERS[f"float32_to_bfloat16_{suffix}"] = ("a", near if way is None else f"toward({near}, float64(float32(a)) - float64({near}), {way})")


_fill()
_HELPERS = """
@device
def bits_of(x):
    cell = cuda.local.array(1, bfloat16)
    cell[0] = x
    return cell.view(uint16)[0]

@device
def of_bits(x):
    cell = cuda.local.array(1, uint16)
    cell[0] = x
    return cell.view(bfloat16)[0]

@device
def saturated(x):
    wide = float32(x)
    return bfloat16(min(max(wide, float32(0)), float32(1))) if wide == wide else bfloat16(0)

@device
def positive(x):
    return x if not float32(x) < 0 else bfloat16(0)

@device
def larger(a, b):
    # A nan loses, and -0 is less than 0.
    x = float32(a)
    y = float32(b)
    if x != x or y > x or (x == y and math.copysign(float32(1), x) < 0):
        return b
    return a

@device
def fused(a, b, c):
    # The product is exact; the sum is rounded to odd, so that rounding it once more is right.
    product = a * b
    total = product + c
    part = total - product
    missing = (product - (total - part)) + (c - part)
    cell = cuda.local.array(1, float64)
    cell[0] = total
    if missing != 0 and math.isfinite(total) and cell.view(uint64)[0] % uint64(2) == 0:
        return math.nextafter(total, math.inf if missing > 0 else -math.inf)
    return total

@device
def cut(x, kind, least, most):
    # What is no number is 0; what is too large, the nearest that is.
    if x != x:
        return kind(0)
    if x <= least:
        return kind(least)
    return kind(most) if x >= most else kind(x)

@device
def toward(near, missing, way):
    # The neighbour of what was rounded, where that went the other way.
    wide = float32(near)
    bits = bits_of(near)
    if missing < 0 and (way < 0 or (way == 0 and wide > 0)):
        return of_bits(uint16(0x8001) if wide == 0 else uint16(bits - 1) if wide > 0 else uint16(bits + 1))
    if missing > 0 and (way > 0 or (way == 0 and wide < 0)):
        return of_bits(uint16(1) if wide == 0 else uint16(bits + 1) if wide > 0 else uint16(bits - 1))
    return near

@device
def missing_of_i(x, near):
    wide = float64(near)
    return int64(-1) if wide >= 9223372036854775808.0 else int64(x) - int64(wide)

@device
def missing_of_u(x, near):
    wide = float64(near)
    if wide >= 18446744073709551616.0 or uint64(wide) > uint64(x):
        return int64(-1)
    return int64(1) if uint64(wide) < uint64(x) else int64(0)
"""


@functools.cache
def _scope() -> dict:
    import numpy
    from numba import cuda, types

    kinds = {kind: getattr(types, kind) for kind in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 bfloat16".split()}
    return define("bf16", _HELPERS, device=device_function, math=math, np=numpy, cuda=cuda, **kinds)


def __getattr__(name: str):
    """The device function of this name. AttributeError for one that kiln has not."""
    if name not in _OTHERS:
        raise AttributeError(f"numba.cuda.bf16.{name}: kiln has no such function", name=name)
    parameters, value = _OTHERS[name]
    scope = dict(_scope())
    if "hfma(" in value:
        scope["hfma"] = __getattr__("hfma")
    made = define(f"bf16.{name}", f"@device\ndef {name}({parameters}):\n    return {value}\n", **scope)[name]
    globals()[name] = made
    return made
