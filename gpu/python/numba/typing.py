"""Functions about types: typeof, from_dtype; and those that only numba's compiler needs, which do nothing here."""

import enum

from numba import types
from numba.enum_types import type_of_enum
from numba.structures import registered_type

_PYTHON_TYPES = {
    bool: types.boolean,
    int: types.int64,
    float: types.float64,
    complex: types.complex128,
    str: types.unicode_type,
    type(None): types.none,
}
_NAMED = {
    range: types.range_state64_type,
    slice: types.slice2_type,
    bytes: types.Bytes("bytes"),
    bytearray: types.ByteArray("bytearray"),
    type(types): types.Module("module"),
}


def typeof(value, purpose=None) -> types.Type:
    """The type of a value. ValueError when it has none."""
    simple = _PYTHON_TYPES.get(type(value))
    if simple is not None:
        return simple
    if isinstance(value, (enum.Enum, enum.EnumMeta)):
        cls = value if isinstance(value, enum.EnumMeta) else type(value)
        found = type_of_enum(cls, typeof)
        return found if cls is value else found.member_type
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return types.NamedTuple([typeof(item) for item in value], type(value))
    if isinstance(value, tuple):
        parts = [typeof(item) for item in value]
        same = bool(parts) and all(part == parts[0] for part in parts)
        return types.UniTuple(parts[0], len(parts)) if same else types.Tuple(*parts)
    if isinstance(value, list) and value:
        return types.List(typeof(value[0]), reflected=True)
    if isinstance(value, dict):
        inner = [typeof(part) for part in next(iter(value.items()), ())] or [types.undefined] * 2
        return types.DictType(*inner)
    if isinstance(value, set) and value:
        return types.Set(typeof(next(iter(value))), reflected=True)
    if getattr(value, "py_func", None) is value:
        return types.Dispatcher(value)
    if type(value) in _NAMED:
        return _NAMED[type(value)]
    if (registered := registered_type(value)) is not None:
        return registered
    if hasattr(value, "_numba_type_"):
        return value._numba_type_
    if isinstance(value, type) and hasattr(value, "dtype"):
        return types.NumberClass(from_dtype(value))
    if hasattr(value, "subdtype") and not isinstance(value, type):
        return types.DType(from_dtype(value))
    if hasattr(value, "dtype") and hasattr(value, "flags"):
        element = from_dtype(value.dtype)
        if not getattr(value, "ndim", 0):
            return element
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return types.Array(element, value.ndim, layout, readonly=not value.flags.writeable)
    if isinstance(getattr(type(value), "class_type", None), types.ClassType):
        return type(value).class_type.instance_type
    raise ValueError(f"Cannot determine Numba type of {type(value)}")


def from_dtype(dtype) -> types.Type:
    """The type of a NumPy dtype's elements, or of the dtype that stands for a class. NotImplementedError when there is none."""
    if isinstance(dtype, type):
        import numpy

        dtype = numpy.dtype(dtype)
    if dtype.names:
        return types.Record(dtype)
    if dtype.subdtype is not None:
        return types.NestedArray(from_dtype(dtype.base), dtype.shape)
    if dtype.kind in "mM":
        unit = dtype.name.partition("[")[2].rstrip("]")
        if unit[:1].isdigit():
            raise NotImplementedError(f"no type for {dtype}: its unit is a multiple of one")
        return (types.NPDatetime if dtype.kind == "M" else types.NPTimedelta)(unit)
    if dtype.kind in "SU" and dtype.itemsize:
        return types.CharSeq(dtype.itemsize) if dtype.kind == "S" else types.UnicodeCharSeq(dtype.itemsize // 4)
    element = getattr(types, "boolean" if dtype.name == "bool" else dtype.name, None)
    if not isinstance(element, types.Number):
        raise NotImplementedError(f"no type for {dtype}")
    return element


def literal_unroll(container):
    """The container."""
    return container


def literally(value):
    """The value."""
    return value


literal_unroll._kiln_intrinsic = "numba.literal_unroll"  # in kernels, too
literally._kiln_intrinsic = "numba.literally"


class _ObjectMode:
    """`with objmode(...)`, `with objmode`: the block is plain Python, as all code is."""

    def __call__(self, *arguments, **types_by_name) -> "_ObjectMode":
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error) -> None:
        pass


objmode = _ObjectMode()


class PassThruContainer:
    """Something that numba's compiler has no type for, on its way to a block of objmode."""

    def __init__(self, obj) -> None:
        self.obj = obj
