"""numba.cuda.libdevice: CUDA's own functions in kernels, by those that kiln has. Each is made when it is first named."""

import functools
import math

from numba.cuda import libdevice_bessel, libdevice_rounding
from numba.cuda.written import define, device_function

# By name: parameters, and what the function returns; T is float64, and float32 under the same name with an f.
_OF_FLOATS = {
    **{name: ("x", f"math.{name}(x)") for name in (
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor log log10 log1p log2 sin sinh sqrt tan tanh trunc "
        "lgamma").split()},
    **{name: ("x, y", f"math.{name}(x, y)") for name in "atan2 copysign fmod hypot nextafter pow remainder".split()},
    "tgamma": ("x", "math.gamma(x)"), "exp10": ("x", "T(10) ** x"), "rsqrt": ("x", "T(1) / math.sqrt(x)"), "rcbrt": ("x", "T(1) / math.cbrt(x)"),
    "fma": ("x, y, z", "cuda.fma(x, y, z)"), "fmax": ("x, y", "max(x, y)"), "fmin": ("x, y", "min(x, y)"), "fdim": ("x, y", "max(x - y, T(0))"),
    "rint": ("x", "np.rint(x)"), "nearbyint": ("x", "np.rint(x)"), "round": ("x", "math.copysign(math.floor(math.fabs(x) + T(0.5)), x)"),
    "cospi": ("x", "math.cos(x * T(PI))"), "sinpi": ("x", "math.sin(x * T(PI))"), "saturate": ("x", "min(max(x, T(0)), T(1))"),
    "ldexp": ("x, n", "math.ldexp(x, n)"), "frexp": ("x", "math.frexp(x)"), "modf": ("x", "math.modf(x)"),
    "sincos": ("x", "(math.sin(x), math.cos(x))"), "isnan": ("x", "int32(math.isnan(x))"), "isinf": ("x", "int32(math.isinf(x))"),
    "scalbn": ("x, n", "math.ldexp(x, n)"), "normcdf": ("x", "T(0.5) * math.erfc(-x * T(0.7071067811865476))"),
    "rhypot": ("x, y", "T(1) / math.hypot(x, y)"), "norm3d": ("x, y, z", "math.sqrt(x * x + y * y + z * z)"),
}
_OTHERS = {
    "abs": ("x", "int32(abs(int32(x)))"), "llabs": ("x", "abs(int64(x))"), "max": ("x, y", "int32(max(x, y))"), "min": ("x, y", "int32(min(x, y))"),
    "umax": ("x, y", "max(uint32(x), uint32(y))"), "umin": ("x, y", "min(uint32(x), uint32(y))"), "llmax": ("x, y", "max(int64(x), int64(y))"),
    "llmin": ("x, y", "min(int64(x), int64(y))"), "popc": ("x", "cuda.popc(uint32(x))"), "popcll": ("x", "cuda.popc(uint64(x))"),
    "clz": ("x", "cuda.clz(uint32(x))"), "clzll": ("x", "cuda.clz(uint64(x))"), "ffs": ("x", "cuda.ffs(uint32(x))"),
    "ffsll": ("x", "cuda.ffs(uint64(x))"), "brev": ("x", "cuda.brev(uint32(x))"), "brevll": ("x", "cuda.brev(uint64(x))"),
    "mulhi": ("x, y", "int32((int64(x) * int64(y)) >> 32)"), "umulhi": ("x, y", "uint32((uint64(x) * uint64(y)) >> uint64(32))"),
    "mul24": ("x, y", "int32((int64(x) << 40 >> 40) * (int64(y) << 40 >> 40))"), "hadd": ("x, y", "int32((int64(x) + int64(y)) >> 1)"),
    "sad": ("x, y, z", "int32(abs(int64(x) - int64(y)) + int64(z))"), "fast_cosf": ("x", "math.cos(float32(x))"),
    "fast_sinf": ("x", "math.sin(float32(x))"), "fast_tanf": ("x", "math.tan(float32(x))"), "fast_expf": ("x", "math.exp(float32(x))"),
    "fast_exp10f": ("x", "float32(10) ** float32(x)"), "fast_logf": ("x", "math.log(float32(x))"), "fast_log2f": ("x", "math.log2(float32(x))"),
    "fast_log10f": ("x", "math.log10(float32(x))"), "fast_powf": ("x, y", "float32(x) ** float32(y)"), "fast_fdividef": ("x, y", "float32(x) / float32(y)"),
    "fast_sincosf": ("x", "(math.sin(float32(x)), math.cos(float32(x)))"),
}
_OTHERS.update(libdevice_rounding.FUNCTIONS)
_OF_FLOATS.update(libdevice_bessel.FUNCTIONS)
for _letter, _kind in (("f", "float32"), ("d", "float64")):
    for _name, _operator in (("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/")):
        _OTHERS[f"{_letter}{_name}_rn"] = ("x, y", f"{_kind}(x) {_operator} {_kind}(y)")
    _OTHERS[f"{_letter}sqrt_rn"] = ("x", f"math.sqrt({_kind}(x))")
    _OTHERS[f"{_letter}rcp_rn"] = ("x", f"{_kind}(1) / {_kind}(x)")
_OTHERS["fmaf_rn"], _OTHERS["fma_rn"] = ("x, y, z", "cuda.fma(float32(x), float32(y), float32(z))"), ("x, y, z", "cuda.fma(float64(x), float64(y), float64(z))")
for _from in ("float", "double"):
    for _to, _type in (("int", "int32"), ("uint", "uint32"), ("ll", "int64"), ("ull", "uint64")):
        _OTHERS[f"{_from}2{_to}_rz"] = ("x", f"{_type}(x)")
        _OTHERS[f"{_from}2{_to}_rn"] = ("x", f"{_type}(np.rint(x))")
        _OTHERS[f"{_from}2{_to}_rd"] = ("x", f"{_type}(math.floor(x))")
        _OTHERS[f"{_from}2{_to}_ru"] = ("x", f"{_type}(math.ceil(x))")
        _OTHERS[f"{_to}2{_from}_rn"] = ("x", f"{'float32' if _from == 'float' else 'float64'}({_type}(x))")
_OTHERS.update({
    "ullmax": ("x, y", "max(uint64(x), uint64(y))"), "ullmin": ("x, y", "min(uint64(x), uint64(y))"),
    "uhadd": ("x, y", "uint32((uint64(uint32(x)) + uint64(uint32(y))) >> uint64(1))"), "rhadd": ("x, y", "int32((int64(x) + int64(y) + 1) >> 1)"),
    "urhadd": ("x, y", "uint32((uint64(uint32(x)) + uint64(uint32(y)) + uint64(1)) >> uint64(1))"),
    "usad": ("x, y, z", "uint32(abs(int64(uint32(x)) - int64(uint32(y))) + int64(uint32(z)))"),
    "umul24": ("x, y", "uint32((uint64(x) & uint64(0xffffff)) * (uint64(y) & uint64(0xffffff)))"),
    "byte_perm": ("x, y, s", "permuted(uint64(uint32(x)) | uint64(uint32(y)) << uint64(32), s)"),
    "umul64hi": ("x, y", "upper_half(uint64(x), uint64(y))"),
    "mul64hi": ("x, y", "int64(upper_half(uint64(x), uint64(y)) - (uint64(y) if x < 0 else uint64(0)) - (uint64(x) if y < 0 else uint64(0)))"),
    "float_as_int": ("x", "bits_of_float(float32(x), int32)"), "float_as_uint": ("x", "bits_of_float(float32(x), uint32)"),
    "int_as_float": ("x", "float_of_bits(uint32(x))"), "uint_as_float": ("x", "float_of_bits(uint32(x))"),
    "double_as_longlong": ("x", "int64(bits_of_double(float64(x)))"), "longlong_as_double": ("x", "double_of_bits(uint64(x))"),
    "double2hiint": ("x", "int32(bits_of_double(float64(x)) >> uint64(32))"), "double2loint": ("x", "int32(bits_of_double(float64(x)))"),
    "hiloint2double": ("x, y", "double_of_bits(uint64(uint32(x)) << uint64(32) | uint64(uint32(y)))"),
    "finitef": ("x", "int32(math.isfinite(float32(x)))"), "isfinited": ("x", "int32(math.isfinite(float64(x)))"),
    "isinfd": ("x", "int32(math.isinf(float64(x)))"), "isnand": ("x", "int32(math.isnan(float64(x)))"),
    "signbitd": ("x", "int32(math.copysign(1.0, float64(x)) < 0)"), "signbitf": ("x", "int32(math.copysign(float32(1), float32(x)) < 0)"),
    "saturatef": ("x", "min(max(float32(x), float32(0)), float32(1))"),
    "powi": ("x, n", "float64(x) ** int32(n)"), "powif": ("x, n", "float32(float32(x) ** int32(n))"),
    "llrint": ("x", "int64(np.rint(float64(x)))"), "llrintf": ("x", "int64(np.rint(float32(x)))"),
    "llround": ("x", "int64(math.copysign(math.floor(math.fabs(x) + 0.5), x))"),
    "llroundf": ("x", "int64(math.copysign(math.floor(math.fabs(float64(x)) + 0.5), float64(x)))"),
    "double2float_rn": ("x", "float32(x)"), "float2half_rn": ("x", "float16(x)"), "half2float": ("x", "float32(x)"),
    "hypotf": ("x, y", "math.hypot(float32(x), float32(y))"),
})
_OF_FLOATS.update({
    "ilogb": ("x", "exponent(x)"), "logb": ("x", "T(exponent(x)) if x != 0 and math.isfinite(x) else (-T(INF) if x == 0 else x * x)"),
    "sincospi": ("x", "(math.sin(x * T(PI)), math.cos(x * T(PI)))"), "erfinv": ("x", "T(inverse_erf(float64(x)))"),
    "erfcinv": ("x", "T(inverse_erfc(float64(x)))"), "normcdfinv": ("x", "T(-1.4142135623730951 * inverse_erfc(2.0 * float64(x)))"),
    "norm4d": ("x, y, z, w", "math.sqrt(x * x + y * y + z * z + w * w)"), "rnorm3d": ("x, y, z", "T(1) / math.sqrt(x * x + y * y + z * z)"),
    "rnorm4d": ("x, y, z, w", "T(1) / math.sqrt(x * x + y * y + z * z + w * w)"), "erfcx": ("x", "T(scaled_erfc(float64(x)))"),
    "remquo": ("x, y", "(math.remainder(x, y), quotient_bits(float64(x), float64(y)))"),
})
_OTHERS["frsqrt_rn"] = ("x", "float32(1.0 / math.sqrt(float64(float32(x))))")
_HELPERS = """
@device
def bits_of_float(x, kind):
    cell = cuda.local.array(1, float32)
    cell[0] = x
    return kind(cell.view(uint32)[0])

@device
def float_of_bits(x):
    cell = cuda.local.array(1, uint32)
    cell[0] = x
    return cell.view(float32)[0]

@device
def bits_of_double(x):
    cell = cuda.local.array(1, float64)
    cell[0] = x
    return cell.view(uint64)[0]

@device
def double_of_bits(x):
    cell = cuda.local.array(1, uint64)
    cell[0] = x
    return cell.view(float64)[0]

@device
def permuted(bytes, selector):
    result = uint32(0)
    for i in range(4):
        chosen = (uint64(selector) >> uint64(4 * i)) & uint64(7)
        result |= uint32((bytes >> (chosen * uint64(8))) & uint64(255)) << uint32(8 * i)
    return result

@device
def upper_half(x, y):
    low = uint64(0xffffffff)
    half = uint64(32)
    cross = (x >> half) * (y & low) + (((x & low) * (y & low)) >> half)
    other = (x & low) * (y >> half) + (cross & low)
    return (x >> half) * (y >> half) + (cross >> half) + (other >> half)

@device
def exponent(x):
    if x == 0 or math.isnan(x):
        return int32(-2147483648)
    if math.isinf(x):
        return int32(2147483647)
    return int32(math.frexp(x)[1] - 1)

@device
def inverse_erfc(y):
    # The tail is where erfc keeps its precision: y above 1 is mirrored into it.
    if not 0.0 <= y <= 2.0:
        return y * math.nan
    if y == 0.0 or y == 2.0:
        return math.inf if y == 0.0 else -math.inf
    tail = y if y <= 1.0 else 2.0 - y
    level = math.log(tail * (2.0 - tail))
    part = 4.330746750799873 + level * 0.5
    x = math.sqrt(math.sqrt(part * part - level / 0.147) - part)
    for i in range(3):
        slope = -1.1283791670955126 * math.exp(-x * x)
        step = (math.erfc(x) - tail) / slope if slope != 0.0 else 0.0
        x -= step / (1.0 + x * step)
    return x if y <= 1.0 else -x

@device
def scaled_erfc(x):
    if x > 25.0:  # the series of the tail; erfc itself would soon be 0
        half = 0.5 / x / x
        total = 1.0
        for k in range(15, 0, -2):
            total = 1.0 - k * half * total
        return total * 0.5641895835477563 / x
    coarse = float64(float32(x))  # whose square is exact
    return math.exp(coarse * coarse) * (math.exp((x - coarse) * (x + coarse)) * math.erfc(x)) if x > -27.0 else (math.inf if x <= -27.0 else x)

@device
def quotient_bits(x, y):
    # The sign and the last three bits of the quotient, rounded to the nearest integer.
    if not math.isfinite(x) or math.isnan(y) or math.isinf(y) or y == 0.0:
        return int32(0)
    near = math.fmod(x, 8.0 * y) if math.fabs(y) < 1e307 else x
    count = int64(np.rint((near - math.remainder(near, y)) / y))
    return int32(count % 8 if count >= 0 else -(-count % 8))

@device
def inverse_erf(y):
    if math.fabs(y) > 0.5:
        return inverse_erfc(1.0 - y)
    level = math.log1p(-y * y)
    part = 4.330746750799873 + level * 0.5
    x = math.copysign(math.sqrt(math.fabs(math.sqrt(part * part - level / 0.147) - part)), y)
    for i in range(3):
        step = (math.erf(x) - y) / (1.1283791670955126 * math.exp(-x * x))
        x -= step / (1.0 + x * step)
    return x
"""


@functools.cache
def _helpers() -> dict:
    """What some functions are written with, by name."""
    return define("libdevice", _HELPERS + libdevice_rounding.HELPERS + libdevice_bessel.HELPERS, **_scope())


def _scope() -> dict:
    import numpy
    from numba import cuda, types

    kinds = {kind: getattr(types, kind) for kind in "int32 int64 uint32 uint64 float16 float32 float64".split()}
    return {"device": device_function, "math": math, "np": numpy, "cuda": cuda, "PI": math.pi, "INF": math.inf, **kinds}


def __getattr__(name: str):
    """The device function of this name. AttributeError for one that kiln has not."""
    from numba import types

    parameters, value, kind = _found(name)
    numbers = [part for part in parameters.split(", ") if part != "n"]
    text = f"@device\ndef {name}({parameters}):\n"
    text += "".join(f"    {part} = T({part})\n" for part in numbers if kind is not None)
    text += f"    return {value}\n"
    scope = {**_helpers(), **_scope()}
    if kind is not None:
        scope["T"] = getattr(types, kind)
    made = define(f"libdevice.{name}", text, **scope)[name]
    globals()[name] = made
    return made


def _found(name: str) -> tuple:
    """Parameters, value and type of a function."""
    if name in _OF_FLOATS:
        return (*_OF_FLOATS[name], "float64")
    if name.endswith("f") and name[:-1] in _OF_FLOATS:
        return (*_OF_FLOATS[name[:-1]], "float32")
    if name in _OTHERS:
        return (*_OTHERS[name], None)
    raise AttributeError(f"numba.cuda.libdevice.{name}: kiln has no such function", name=name)
