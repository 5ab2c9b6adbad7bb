"""cfunc: a Python function that C can call, through ctypes; carray and farray: C's memory as arrays, which need NumPy."""

import functools
from collections.abc import Callable

from numba.decorators import mark
from numba.types import Boolean, CPointer, Float, Integer, Record, Signature, Type, none, voidptr


class RecordPointer(int):
    """The address of records. `dtype` is theirs."""

    dtype = None


class CFunc:
    """A function and C's way to call it: `ctypes`, and `address` for who wants a number. Called from Python it is the function.

    An exception in a call from C is printed, and C gets 0.
    """

    def __init__(self, function: Callable, signature: Signature) -> None:
        functools.update_wrapper(self, function, updated=())
        self.py_func = function
        self._sig = signature
        self.native_name = f"cfunc.{function.__module__}.{function.__qualname__}"
        self.cache_hits = 0

    def __repr__(self) -> str:
        return f"<Numba C callback {self.__qualname__!r}>"

    def __reduce__(self) -> str:
        return self.__qualname__

    def __call__(self, *arguments, **named):
        return self.py_func(*arguments, **named)

    @functools.cached_property
    def ctypes(self):
        """A function of ctypes'. It lives as long as this object. NotImplementedError for types that C has not."""
        import ctypes

        returned = None if self._sig.return_type == none else _ctype(self._sig.return_type)
        return ctypes.CFUNCTYPE(returned, *map(_ctype, self._sig.args))(_converted(self.py_func, self._sig))

    @functools.cached_property
    def address(self) -> int:
        """Where C calls it."""
        import ctypes

        return ctypes.cast(self.ctypes, ctypes.c_void_p).value

    def inspect_llvm(self) -> str:
        """kiln keeps no LLVM IR of it."""
        return ""


def cfunc(signature, locals=None, cache=False, pipeline_class=None, boundscheck=None, **options) -> Callable:
    """@cfunc("float64(float64)"): a CFunc. TypeError for what is no signature."""
    from numba.ufuncs import parse_signature, parse_type

    found = parse_type(signature) if isinstance(signature, str) else signature
    if not isinstance(found, (Signature, tuple)):
        raise TypeError(f"invalid signature: {signature!r} (type: {type(signature).__name__!r}) evaluates to "
                        f"{type(found).__name__!r} instead of tuple or Signature")
    parsed = parse_signature(found)
    return lambda function: CFunc(mark(getattr(function, "py_func", function)), parsed)


def _ctype(kind: Type):
    """The class of ctypes' for a type. NotImplementedError when there is none."""
    import ctypes

    if isinstance(kind, CPointer):
        return ctypes.c_void_p if kind.dtype == none or isinstance(kind.dtype, Record) else ctypes.POINTER(_ctype(kind.dtype))
    if kind == voidptr:
        return ctypes.c_void_p
    if isinstance(kind, Boolean):
        return ctypes.c_bool
    if isinstance(kind, (Integer, Float)):
        found = getattr(ctypes, {"float32": "c_float", "float64": "c_double"}.get(kind.name, f"c_{kind.name}"), None)
        if found is not None:
            return found
    raise NotImplementedError(f"ctypes has no type for {kind}")


def _converted(function: Callable, signature: Signature) -> Callable:
    """The function, with arguments and results that ctypes does not convert as numba does; 0 when it raises."""
    records = {place: kind.dtype.dtype for place, kind in enumerate(signature.args)
               if isinstance(kind, CPointer) and isinstance(kind.dtype, Record)}
    cast = signature.return_type.cast_python_value if isinstance(signature.return_type, Integer) else None
    failed = None if signature.return_type == none else 0

    def call(*arguments):
        try:
            result = function(*arguments)
            return result if cast is None else cast(result)
        except BaseException as error:  # C cannot be given it
            _print_ignored(error)
            return failed

    def call_with_records(*arguments):
        return call(*(_record_pointer(value, records[place]) if place in records else value for place, value in enumerate(arguments)))

    return call_with_records if records else call


def _print_ignored(error: BaseException) -> None:
    """Has the interpreter report an exception that ends here: sys.unraisablehook takes what only C can make."""
    import ctypes

    def ignored() -> None:
        raise error

    ctypes.CFUNCTYPE(None)(ignored)()


def _record_pointer(address, dtype) -> RecordPointer:
    pointer = RecordPointer(address or 0)
    pointer.dtype = dtype
    return pointer


def carray(ptr, shape, dtype=None):
    """An array of C's layout over the memory that a pointer points to, which must live as long. TypeError for no pointer."""
    return _array(ptr, shape, dtype, "C")


def farray(ptr, shape, dtype=None):
    """carray() with Fortran's layout."""
    return _array(ptr, shape, dtype, "F")


def _array(pointer, shape, dtype, order: str):
    import ctypes

    import numpy

    address, own = _target(pointer)
    given = None if dtype is None else numpy.dtype(dtype)
    if own is None and given is None:
        raise TypeError("explicit dtype required for void* argument")
    if own is not None and given is not None and own != given:
        raise TypeError(f"mismatching dtype '{given}' for pointer {pointer}")
    kind = given if own is None else own
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    count = int(numpy.prod(sizes, dtype=numpy.int64))
    if count == 0:
        return numpy.empty(sizes, kind, order)
    if address == 0:
        raise ValueError("an array cannot be where a NULL pointer points to")
    memory = (ctypes.c_char * (count * kind.itemsize)).from_address(address)
    array = numpy.frombuffer(memory, kind).reshape(sizes, order=order)
    return array.view(numpy.recarray) if kind.names else array


def _target(pointer):
    """Where a pointer points to, and the dtype of what is there; None for a void pointer."""
    import ctypes

    import numpy

    if isinstance(pointer, RecordPointer):
        return int(pointer), pointer.dtype
    if pointer is None or type(pointer) is int:  # so come void pointers from ctypes
        return pointer or 0, None
    if isinstance(pointer, ctypes.c_void_p):
        return pointer.value or 0, None
    if isinstance(pointer, (ctypes._Pointer, ctypes.Array)):
        return ctypes.cast(pointer, ctypes.c_void_p).value or 0, numpy.dtype(pointer._type_)
    raise TypeError(f"expected a ctypes pointer, got {pointer!r}")
