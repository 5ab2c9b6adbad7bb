"""Type names: what signatures, dtypes and casts are spelled with. They never change what a function computes."""

import struct

from numba.compound_types import *
from numba.compound_types import BaseAnonymousTuple, BaseNamedTuple, BaseTuple, literal, unliteral
from numba.container_types import DictType, InitialValue, List, LiteralList, LiteralStrKeyDict
from numba.enum_types import *
from numba.type_base import Array, Buffer, Container, Hashable, IterableType, MutableSequence, Sequence, Signature, Sized, Type

__all__ = []


class Number(Hashable):
    """A scalar type. Called with a value it converts the value; as a dtype of NumPy's it stands for its namesake."""

    bitwidth = 0

    def __call__(self, *arguments):
        if len(arguments) == 1 and not isinstance(arguments[0], Type):
            return self._from_value(arguments[0])
        return super().__call__(*arguments)

    def _from_value(self, value):
        return self.cast_python_value(value)

    def cast_python_value(self, value):
        """The Python value that a variable of this type holds after being assigned `value`."""
        raise NotImplementedError

    @property
    def dtype(self):
        """NumPy's dtype. AttributeError without NumPy."""
        try:
            import numpy
        except ImportError:
            raise AttributeError("NumPy is not installed") from None
        return numpy.dtype(self.name)


class Boolean(Number):
    """bool."""

    bitwidth = 8

    def cast_python_value(self, value) -> bool:
        return bool(value)


class Integer(Number):
    """A machine integer: a cast drops a fraction and wraps."""

    def __init__(self, bitwidth: int, signed: bool) -> None:
        super().__init__(f"{'' if signed else 'u'}int{bitwidth}")
        self.bitwidth = bitwidth
        self.signed = signed

    @property
    def minval(self) -> int:
        """The least value."""
        return -(1 << (self.bitwidth - 1)) if self.signed else 0

    @property
    def maxval(self) -> int:
        """The greatest value."""
        return (1 << (self.bitwidth - self.signed)) - 1

    def cast_python_value(self, value) -> int:
        wrapped = int(value) & ((1 << self.bitwidth) - 1)
        return wrapped - (1 << self.bitwidth) if wrapped > self.maxval else wrapped


class _Inexact(Number):
    """Called with a value, a narrow type makes NumPy's scalar: what is computed from it is rounded, too, as numba has it."""

    def __init__(self, name: str, bitwidth: int, is_narrow: bool) -> None:
        super().__init__(f"{name}{bitwidth}")
        self.bitwidth = bitwidth
        self._make = None if is_narrow else self.cast_python_value

    def _from_value(self, value):
        make = self._make
        if make is None:
            try:
                make = self.dtype.type
            except AttributeError:  # there is no NumPy
                make = self.cast_python_value
            self._make = make
        return make(value)


class Float(_Inexact):
    """A machine float: a cast to float32 or float16 rounds."""

    def __init__(self, bitwidth: int) -> None:
        super().__init__("float", bitwidth, bitwidth < 64)

    def cast_python_value(self, value) -> float:
        if self.bitwidth == 64:
            return float(value)
        return _round_to(float(value), "f" if self.bitwidth == 32 else "e")


class Complex(_Inexact):
    """A complex number of two machine floats."""

    def __init__(self, bitwidth: int) -> None:
        super().__init__("complex", bitwidth, bitwidth < 128)

    def cast_python_value(self, value) -> complex:
        value = complex(value)
        if self.bitwidth == 64:
            return complex(_round_to(value.real, "f"), _round_to(value.imag, "f"))
        return value

    @property
    def underlying_float(self) -> Float:
        """The type of its parts."""
        return Float(self.bitwidth // 2)


class Bfloat16(Number):
    """The upper half of a float32."""

    bitwidth = 16

    def cast_python_value(self, value) -> float:
        """Of a number: the nearest one."""
        bits = struct.unpack("I", struct.pack("f", _round_to_odd(float(value))))[0]
        rounded = 0x7FFF if value != value else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        return struct.unpack("f", struct.pack("I", rounded << 16))[0]


def _round_to_odd(value: float) -> float:
    near = _round_to(value, "f")
    bits = struct.unpack("I", struct.pack("f", near))[0]
    step = 0 if near == value or value != value or bits & 1 else 1 if abs(near) < abs(value) else -1
    return struct.unpack("f", struct.pack("I", bits + step))[0]


class _Time(Type):
    """An int64 that counts units."""

    _kind = ""

    def __init__(self, unit: str = "") -> None:
        super().__init__(f"{self._kind}[{unit}]" if unit else self._kind)
        self.unit = unit

    @property
    def dtype(self):
        """NumPy's dtype."""
        import numpy

        return numpy.dtype(self.name)


class NPDatetime(_Time):
    """datetime64 of a unit."""

    _kind = "datetime64"


class NPTimedelta(_Time):
    """timedelta64 of a unit."""

    _kind = "timedelta64"


class UnicodeType(IterableType, Hashable):
    """A text."""


class CharSeq(Type):
    """Up to `count` bytes: an element of NumPy's type S."""

    _shown, _code = "[char x {}]", "S"

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(self._shown.format(count))

    @property
    def dtype(self):
        """NumPy's dtype."""
        import numpy

        return numpy.dtype(f"{self._code}{self.count}")


class UnicodeCharSeq(CharSeq):
    """Up to `count` characters: an element of NumPy's type U."""

    _shown, _code = "[unichr x {}]", "U"


class Dummy(Type):
    """Base of the types of what has no value of its own."""


class Opaque(Dummy):
    """Something that is only passed on."""


class NoneType(Opaque):
    """None."""


class DeferredType(Type):
    """A type that is defined later on."""

    def __init__(self) -> None:
        super().__init__(f"DeferredType#{id(self)}")

    def define(self, definition: Type) -> None:
        """Accepts the definition."""


def deferred_type() -> DeferredType:
    """A new deferred type."""
    return DeferredType()


def _round_to(value: float, code: str) -> float:
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _define_names() -> None:
    """All scalar names, those of C and NumPy included; the ones that `from numba import *` brings are in __all__."""
    names = {
        "boolean": Boolean("bool"),
        "void": NoneType("none"),
        "pyobject": Type("pyobject"),
        "float16": Float(16),
        "float32": Float(32),
        "float64": Float(64),
        "complex64": Complex(64),
        "complex128": Complex(128),
    }
    for bits in (8, 16, 32, 64):
        names[f"int{bits}"] = Integer(bits, True)
        names[f"uint{bits}"] = Integer(bits, False)
        names[f"i{bits // 8}"] = names[f"int{bits}"]
        names[f"u{bits // 8}"] = names[f"uint{bits}"]
    aliases = {
        "bool_": "boolean",
        "b1": "boolean",
        "none": "void",
        "byte": "uint8",
        "uchar": "uint8",
        "char": "int8",
        "schar": "int8",
        "short": "int16",
        "ushort": "uint16",
        "intc": "int32",
        "uintc": "uint32",
        "int_": "int64",
        "uint": "uint64",
        "intp": "int64",
        "uintp": "uint64",
        "ssize_t": "int64",
        "size_t": "uint64",
        "long_": "int64",
        "ulong": "uint64",
        "longlong": "int64",
        "ulonglong": "uint64",
        "float_": "float32",
        "double": "float64",
        "f2": "float16",
        "f4": "float32",
        "f8": "float64",
        "c8": "complex64",
        "c16": "complex128",
    }
    names.update({alias: names[name] for alias, name in aliases.items()})
    globals().update(names)
    __all__.extend([*names, "optional", "deferred_type"])


_define_names()
signed_domain = frozenset(globals()[f"int{bits}"] for bits in (8, 16, 32, 64))
unsigned_domain = frozenset(globals()[f"uint{bits}"] for bits in (8, 16, 32, 64))
real_domain, complex_domain = frozenset([float32, float64]), frozenset([complex64, complex128])
integer_domain = signed_domain | unsigned_domain
number_domain = real_domain | integer_domain | complex_domain
bfloat16 = Bfloat16("bfloat16")
unicode_type = string = UnicodeType("unicode_type")
voidptr = Opaque("void*")
pyobject = Opaque("pyobject")
undefined = Type("undefined")
_NAMES_ONLY = {  # types that have a name only, by their bases
    Type: "Any Callable UndefinedFunctionType ArrayCTypes MemInfoPointer RawPointer TypeRef UnionType NumPyRandomGeneratorType SliceType",
    Buffer: "Bytes ByteArray MemoryView",
    IterableType: "RangeType SimpleIterableType SimpleIteratorType Iterator Generator",
    Dummy: "Function BoundFunction BaseFunction Module EllipsisType",
    Tuple: "StarArgTuple",
}
for _base, _names in _NAMES_ONLY.items():
    globals().update({name: type(name, (_base,), {"__doc__": "A type that has a name only."}) for name in _names.split()})
slice2_type, slice3_type = SliceType("slice<a:b>"), SliceType("slice<a:b:c>")
range_state32_type, range_state64_type, unsigned_range_state64_type = map(
    RangeType, ("range_state_int32", "range_state_int64", "range_state_uint64")
)
ellipsis = EllipsisType("...")
