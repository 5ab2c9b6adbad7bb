"""Floats of 8 bits in kernels: the classes fp8_e5m2, fp8_e4m3 and fp8_e8m0, their vectors of 2 and 4, and the conversions of cuda_fp8.h.

A value is its bits. A class called with a number makes one, which is rounded to the nearest and, where it is too large, the largest
(e8m0, an exponent alone, is rounded up). A type of numbers called with it gives the number. There is no arithmetic, as in numba.
"""

from enum import IntEnum

import numpy as np
from numba import types
from numba.cuda import stubs
from numba.cuda.fp8_bits import FUNCTIONS
from numba.cuda.written import define
from numba.overloads import register
from numba.python_types import as_numba_type
from numba.structures import StructModel, class_of, make_attribute_wrapper, register_model

_WORDS = {1: types.uint8, 2: types.uint16, 4: types.uint32}
_INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
_FLOATS = "float16 bfloat16 float32 float64".split()


class saturation_t(IntEnum):
    """What is too large: no number or an infinity; or the largest."""

    NOSAT = 0
    SATFINITE = 1


class fp8_interpretation_t(IntEnum):
    """How bits are shared by exponent and fraction."""

    E4M3 = 0
    E5M2 = 1


class Fp8Type(types.Type):
    """The type of a float of 8 bits, or of a vector of them. kind: how its bits are shared."""

    def __init__(self, kind: str, count: int) -> None:
        super().__init__(name=f"fp8{'' if count == 1 else f'x{count}'}_{kind}")
        self.kind, self.count, self.bitwidth, self.alignof_ = kind, count, 8 * count, count


class _RawType(types.Type):
    """Of the bits of a bfloat16."""


@register_model(Fp8Type)
class _Model(StructModel):
    def __init__(self, manager, kind: Fp8Type) -> None:
        super().__init__(manager, kind, [("__x", _WORDS[kind.count])])


@register_model(_RawType)
class _RawModel(StructModel):
    def __init__(self, manager, kind: _RawType) -> None:
        super().__init__(manager, kind, [("x", types.uint16)])


make_attribute_wrapper(Fp8Type, "__x", "__x")
make_attribute_wrapper(_RawType, "x", "x")
bfloat16_raw_type = _RawType("bfloat16_raw")
TYPES: dict = {}  # by the names that numba has for them
_scope = dict(FUNCTIONS, raw=class_of(bfloat16_raw_type), **{name: getattr(types, name) for name in _INTEGERS + _FLOATS},
              **{name: getattr(stubs, name) for name in ("float32x2", "float32x4")})


def _written(parameters: str, value: str, **scope):
    """A device function that gives a value."""
    text = f"def function({parameters}):\n    return {value}\n"
    return define(f"fp8 {parameters} {value}", text, **_scope, **scope)["function"]


def _bits_of(kind: str, number: str, of) -> str | None:
    """The bits for a number of a type: text."""
    if isinstance(of, types.Integer):
        number = f"{'of_unsigned' if not of.signed else 'of_signed'}({number})"
    elif of == types.float64:
        pass  # also its bits where it is no number
    elif isinstance(of, types.Float) or of == types.bfloat16:
        number = f"plain({number})"
    else:
        return None
    return f"scaled({number}, True, True)" if kind == "e8m0" else f"of_{kind}({number}, True)"


def _number_of(kind: str, bits: str) -> str:
    return f"from_{kind}({bits})"


def _constructor(kind: Fp8Type):
    """What calls of a class are: for a number or a vector of the class's length; without an argument, zero."""
    made = class_of(kind)
    word = _WORDS[kind.count].name

    def implementation(*given):
        if not given:
            return _written("", f"made({word}(0))", made=made)
        parts = getattr(given[0], "types", given)
        texts = [_bits_of(kind.kind, "x" if kind.count == 1 else f"x[{i}]", part) for i, part in enumerate(parts)]
        if len(given) != 1 or len(texts) != kind.count or None in texts:
            return None
        value = " | ".join(f"{word}({word}({text}) << {word}({8 * i}))" for i, text in enumerate(texts))
        return _written("x", f"made({word}({value}))", made=made)

    return implementation


def _to_number(name: str):
    """What a type of numbers gives for a float of 8 bits."""

    def implementation(given, *more):
        if not isinstance(given, Fp8Type) or given.count != 1 or more:
            return None
        value = _number_of(given.kind, "x[0]")
        if name == "bool":
            zero = "False" if given.kind == "e8m0" else "x[0] & uint8(127) == uint8(0)"
            return _written("x", f"not ({zero})")
        if name in _FLOATS:
            return _written("x", f"{name}({value})")
        kind = getattr(types, name)
        return _written("x", f"cut({value}, {name}, {float(kind.minval)}, {float(kind.maxval)}, {name}({kind.minval}), {name}({kind.maxval}), {_not_a_number(kind)})")

    return implementation


def _not_a_number(kind) -> str:
    return f"{kind.name}({kind.minval})" if kind == types.int64 else "uint64(1) << uint64(63)" if kind == types.uint64 else f"{kind.name}(0)"


def _to_vector(count: int):
    def implementation(given, *more):
        if not isinstance(given, Fp8Type) or given.count != count or more:
            return None
        parts = ", ".join(_number_of(given.kind, f"uint8(x[0] >> {_WORDS[count].name}({8 * i}))") for i in range(count))
        return _written("x", f"float32x{count}({parts})")

    return implementation


def _names_of(name: str) -> list:
    """What programs call for a number of this type."""
    of_numpy = {"bool": [np.bool_], "bfloat16": []}.get(name) if name in ("bool", "bfloat16") else [getattr(np, name)]
    of_python = {"int64": [int], "float64": [float], "bool": [bool]}.get(name, [])
    return [getattr(types, "boolean" if name == "bool" else name), *of_numpy, *of_python]


def _fill() -> None:
    for kind in ("e5m2", "e4m3", "e8m0"):
        for count in _WORDS:
            numba_type = Fp8Type(kind, count)
            cls = type(numba_type.name, (), {"_nbtype": numba_type, "__doc__": f"{count} floats of 8 bits ({kind})."})
            as_numba_type.register(cls, numba_type)
            register(cls, _constructor(numba_type))
            TYPES[numba_type.name], TYPES[f"_type_{numba_type.name}"] = cls, numba_type
    for name in [*_FLOATS, *_INTEGERS, "bool"]:
        for callee in _names_of(name):
            register(callee, _to_number(name))
    for count in (2, 4):
        register(getattr(stubs, f"float32x{count}"), _to_vector(count))


def _converter(name: str, takes, text: str, count: int = 1):
    """A function of cuda_fp8.h: takes(type) says whether it takes a first argument; `text` is what it gives, with {} for a number of it."""
    value = text.format("x") if count == 1 else f"uint16(uint16({text.format('x[0]')}) | uint16(uint16({text.format('x[1]')}) << uint16(8)))"

    def implementation(x, *options):
        if not takes(x):
            raise TypeError(f"{name} does not take {x}")
        return _written(", ".join(["x", "saturate", "how"][: 1 + len(options)]), value)

    def called(*arguments):
        """A function that kernels call."""
        raise TypeError(f"{name} can be called in kernels only")

    called.__name__ = called.__qualname__ = name
    register(called, implementation)
    globals()[name] = called


def _fill_functions() -> None:
    code, scale = "as_said({}, saturate, how)", "scaled({}, how == 2, saturate == 1)"
    for name, number in (("float", "plain({})"), ("double", "float64({})")):
        for text, kind in ((code, "fp8"), (scale, "e8m0")):
            _converter(f"cvt_{name}_to_{kind}", _is_number, text.format(number))
            _converter(f"cvt_{name}2_to_{kind}x2", _is_pair, text.format(number), 2)
    _converter("cvt_bfloat16raw_to_fp8", _is_raw, code.format("plain(from_raw({}[0]))"))
    _converter("cvt_bfloat16raw_to_e8m0", _is_raw, scale.format("plain(from_raw({}[0]))"))
    _converter("cvt_e8m0_to_bf16raw", _is_number, "raw(scale_bits(uint8({})))")


def _is_number(kind) -> bool:
    return isinstance(kind, types.Number)


def _is_pair(kind) -> bool:
    return len(getattr(kind, "types", ())) == 2


def _is_raw(kind) -> bool:
    return kind == bfloat16_raw_type


_fill()
_fill_functions()
globals().update({name: value for name, value in TYPES.items() if not name.startswith("_")})


def __getattr__(name: str):
    """NotImplementedError for numba's registries of its implementations."""
    if name in ("typing_registry", "target_registry"):
        raise NotImplementedError(f"numba.cuda.fp8.{name} is a part of numba's compiler, which kiln does not have; the types are here themselves")
    raise AttributeError(f"module 'numba.cuda.fp8' has no attribute {name!r}", name=name)
