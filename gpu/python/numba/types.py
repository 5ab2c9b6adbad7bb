"""Type names: what signatures, dtypes and casts are spelled with. They never change what a function computes."""

import struct

__all__ = []


class Type:
    """A type by its name. Equal names are equal types."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *arguments: "Type") -> "Signature":
        """A signature: float64(int32) takes an int32 and returns a float64."""
        return Signature(self, arguments)

    def __getitem__(self, index) -> "Array":
        """An array type: float64[:], float64[:, ::1]."""
        slices = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(item, slice) for item in slices):
            raise KeyError(f"an array type is written with colons, {self}[:]")
        layout = "C" if slices[-1].step == 1 else "F" if slices[0].step == 1 else "A"
        return Array(self, len(slices), layout)

    def __eq__(self, other) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """What equality compares."""
        return self.name

    def is_precise(self) -> bool:
        """Whether the type is fully known: always."""
        return True


class Signature:
    """Return type and argument types of a function."""

    def __init__(self, return_type: Type, args: tuple[Type, ...]) -> None:
        self.return_type = return_type
        self.args = args

    def __eq__(self, other) -> bool:
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))

    def __repr__(self) -> str:
        return f"{self.args} -> {self.return_type}"


class Number(Type):
    """A scalar type. Called with a value it converts the value; as a dtype of NumPy's it stands for its namesake."""

    bitwidth = 0

    def __call__(self, *arguments):
        if len(arguments) == 1 and not isinstance(arguments[0], Type):
            return self.cast_python_value(arguments[0])
        return super().__call__(*arguments)

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


class Float(Number):
    """A machine float: a cast to float32 or float16 rounds."""

    def __init__(self, bitwidth: int) -> None:
        super().__init__(f"float{bitwidth}")
        self.bitwidth = bitwidth

    def cast_python_value(self, value) -> float:
        if self.bitwidth == 64:
            return float(value)
        return _round_to(float(value), "f" if self.bitwidth == 32 else "e")


class Complex(Number):
    """A complex number of two machine floats."""

    def __init__(self, bitwidth: int) -> None:
        super().__init__(f"complex{bitwidth}")
        self.bitwidth = bitwidth

    def cast_python_value(self, value) -> complex:
        value = complex(value)
        if self.bitwidth == 64:
            return complex(_round_to(value.real, "f"), _round_to(value.imag, "f"))
        return value


class Array(Type):
    """An ndarray: element type, dimensions, layout (C, F, or A for any)."""

    def __init__(
        self, dtype: Type, ndim: int, layout: str, readonly: bool = False, name: str | None = None, aligned: bool = True
    ) -> None:
        super().__init__(name or f"{'readonly ' if readonly else ''}array({dtype}, {ndim}d, {layout})")
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly
        self.aligned = aligned


def _compound(label: str):
    """A type whose name is made of its parts: label(part, part)."""

    class Compound(Type):
        def __init__(self, *parts, **options) -> None:
            super().__init__(f"{label}({', '.join(map(str, parts))})")
            self.parts = parts

    Compound.__name__ = Compound.__qualname__ = label
    return Compound


Tuple = _compound("Tuple")
UniTuple = _compound("UniTuple")
List = _compound("List")
ListType = _compound("ListType")
DictType = _compound("DictType")
Set = _compound("Set")
Optional = _compound("Optional")
Omitted = _compound("Omitted")
Literal = _compound("Literal")
FunctionType = _compound("FunctionType")
UnicodeType = _compound("UnicodeType")
optional = Optional


class NamedTuple(Type):
    """A named tuple: the types of its fields, and its class."""

    def __init__(self, types, cls) -> None:
        self.types = tuple(types)
        self.instance_class = cls
        self.fields = tuple(cls._fields)
        super().__init__(f"{cls.__name__}({', '.join(map(str, self.types))})")


class NamedUniTuple(NamedTuple):
    """A named tuple whose fields are of one type."""

    def __init__(self, dtype: Type, count: int, cls) -> None:
        super().__init__([dtype] * count, cls)
        self.dtype = dtype
        self.count = count


class Record(Type):
    """A record: a structured dtype of NumPy's."""

    def __init__(self, dtype) -> None:
        self.dtype = dtype
        fields = ",".join(f"{name}[type={dtype.fields[name][0]};offset={dtype.fields[name][1]}]" for name in dtype.names)
        super().__init__(f"Record({fields};{dtype.itemsize};{dtype.isalignedstruct})")

    def __len__(self) -> int:
        return len(self.dtype.names)


class CPointer(Type):
    """A pointer of C's."""

    def __init__(self, dtype: Type, addrspace=None) -> None:
        self.dtype = dtype
        super().__init__(f"{dtype}*")


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
        "void": Type("none"),
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
unicode_type = string = Type("unicode_type")
voidptr = Type("void*")
NoneType, Opaque, Dummy = type(none), Type, Type  # noqa: F821
undefined = Type("undefined")
