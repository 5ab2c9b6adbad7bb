"""numba.core.typing.cffi_utils: types of cffi's as numba's. It needs cffi."""

from numba import types

_registered: dict = {}  # what programs say of types of cffi's


def register_type(cffi_type, numba_type) -> None:
    """What a type of cffi's is."""
    _registered[cffi_type] = numba_type


def register_module(module) -> None:
    """Accepted: functions of cffi's modules are called as Python calls them."""


def map_type(cffi_type, use_record_dtype: bool = False):
    """A type, or the signature of a function's type. TypeError for what is none."""
    if cffi_type in _registered:
        return _registered[cffi_type]
    kind = cffi_type.kind
    if kind in ("primitive", "enum"):
        return _primitive(cffi_type)
    if kind == "function" or (kind == "pointer" and cffi_type.item.kind == "function"):
        function = cffi_type if kind == "function" else cffi_type.item
        return map_type(function.result, use_record_dtype)(*(map_type(part, use_record_dtype) for part in function.args))
    if kind == "pointer":
        pointee = cffi_type.item
        if pointee.kind == "void" or (pointee.kind == "struct" and not use_record_dtype):
            return types.voidptr
        return types.CPointer(map_type(pointee, use_record_dtype))
    if kind == "array":
        return types.NestedArray(map_type(cffi_type.item, use_record_dtype), cffi_type.length)
    if kind == "struct" and use_record_dtype:
        return _record(cffi_type)
    if kind == "void":
        return types.void
    raise TypeError(f"cannot map {cffi_type} to a type of numba's")


def _primitive(cffi_type):
    from cffi import FFI

    name = cffi_type.cname
    if name in ("float", "double"):
        return types.float32 if name == "float" else types.float64
    if name == "_Bool":
        return types.boolean
    size = FFI().sizeof(cffi_type)
    unsigned = name.startswith(("unsigned", "uint", "size_t"))
    found = getattr(types, f"{'u' if unsigned else ''}int{size * 8}", None)
    if found is None or "complex" in name:
        raise TypeError(f"cannot map {cffi_type} to a type of numba's")
    return found


def _record(cffi_type):
    import numpy
    from cffi import FFI

    from numba.np.numpy_support import as_dtype

    fields = cffi_type.fields or ()
    for name, field in fields:
        if field.bitsize >= 0:
            raise ValueError(f"the field {name!r} of {cffi_type} is a bit field")
    return types.Record(numpy.dtype({
        "names": [name for name, _ in fields],
        "formats": [as_dtype(map_type(field.type, True)) for _, field in fields],
        "offsets": [field.offset for _, field in fields],
        "itemsize": FFI().sizeof(cffi_type),
    }))
