"""Types as the compiler takes them."""

from numba.types import (
    Array,
    CharSeq,
    CPointer,
    DType,
    EnumMember,
    NamedTuple,
    NPDatetime,
    NPTimedelta,
    Number,
    NumberClass,
    Record,
    Tuple,
    Type,
    UniTuple,
    none,
)
from numba.structures import class_of, is_structure, members_of


def describe_type(kind: Type):
    """A type as _kiln takes it. TypeError for one that kernels cannot take."""
    if isinstance(kind, Array):
        element = kind.dtype.dtype if isinstance(kind.dtype, (Record, CharSeq)) else kind.dtype if is_structure(kind.dtype) else kind.dtype.name
        return ("array", element, kind.ndim, kind.layout, not kind.mutable)
    if isinstance(kind, (Record, CharSeq)):
        return ("record", kind.dtype)
    if isinstance(kind, NamedTuple):
        return ("tuple", kind.instance_class, *map(describe_type, kind.types))
    if isinstance(kind, UniTuple):
        return ("tuple", None, *[describe_type(kind.parts[0])] * int(kind.parts[1]))
    if isinstance(kind, Tuple):
        parts = kind.parts[0] if len(kind.parts) == 1 and isinstance(kind.parts[0], (list, tuple)) else kind.parts
        return ("tuple", None, *map(describe_type, parts))
    if isinstance(kind, (Number, NPDatetime, NPTimedelta)):
        return kind.name
    if isinstance(kind, EnumMember):
        return ("enum", kind.instance_class, describe_type(kind.dtype))
    if kind == none:
        return None
    if (members := members_of(kind)) is not None:
        return ("tuple", class_of(kind), *(describe_type(member) for _, member in members))
    if isinstance(kind, (NumberClass, DType)):
        return ("object", kind.instance_type if isinstance(kind, NumberClass) else kind.dtype)  # the kernel is for this one
    if isinstance(kind, CPointer) and isinstance(kind.dtype, Number):
        return ("array", kind.dtype.name, 1, "C", False)  # Pointed makes one of an address
    raise TypeError(f"kernels cannot take arguments of type {kind}")
