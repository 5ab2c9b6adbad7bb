"""numba.cuda.libdevice: CUDA's own functions in kernels, by those that kiln has. Each is made when it is first named."""

import math

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
    "fast_sincosf": ("x", "(math.sin(float32(x)), math.cos(float32(x)))"), "float_as_int": ("x", "bits(x)"),
}
# Rounding to nearest is what kernels do; the other directions are not there.
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
del _OTHERS["float_as_int"]


def __getattr__(name: str):
    """The device function of this name. AttributeError for one that kiln has not."""
    import numpy
    from numba import cuda, types

    parameters, value, kind = _found(name)
    numbers = [part for part in parameters.split(", ") if part != "n"]
    text = f"@device\ndef {name}({parameters}):\n"
    text += "".join(f"    {part} = T({part})\n" for part in numbers if kind is not None)
    text += f"    return {value}\n"
    scope = {kind: getattr(types, kind) for kind in "int32 int64 uint32 uint64 float32 float64".split()}
    if kind is not None:
        scope["T"] = getattr(types, kind)
    made = define(f"libdevice.{name}", text, device=device_function, math=math, np=numpy, cuda=cuda, PI=math.pi, **scope)[name]
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
