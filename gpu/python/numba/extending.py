"""numba.extending: what is said to numba's compiler has an effect in kernels, since elsewhere Python's own functions are called.

An overload of a function that does nothing itself is its implementation.
"""

from types import FunctionType

from numba.by_types import dispatch
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin, lower_getattr, lower_getattr_generic
from numba.core.typing.templates import infer, infer_getattr, infer_global
from numba.decorators import mark
from numba.experimental.structref import add_member
from numba.overloads import register, register_member
from numba.python_types import as_numba_type
from numba.structures import add_intrinsic, make_attribute_wrapper, register_model, type_callable, typeof_impl


def register_jitable(*arguments, **options):
    """@register_jitable and @register_jitable(...)."""
    return mark(arguments[0]) if arguments and callable(arguments[0]) else mark


def is_jitted(function) -> bool:
    """Whether jit decorated the function."""
    return function is not None and getattr(function, "py_func", None) is function


def overload(function, *arguments, **options):
    """The overloaded function itself is called if it does something; else what the decorated function gives for the types.

    In kernels, always what the decorated function gives.
    """

    def decorate(chooser):
        if isinstance(function, FunctionType):
            dispatch(function, chooser, bool(options.get("prefer_literal")))
        return register(function, chooser, bool(options.get("prefer_literal")))

    return decorate


def _accept(*arguments, **options):
    """Stands for decorators of code for numba's compiler."""
    return lambda function: function


def overload_method(kind, name: str, **options):
    """@overload_method(type, name): for kernels and for structures; elsewhere Python finds methods itself."""
    return lambda implementation: _member(kind, name, True, implementation)


def overload_attribute(kind, name: str, **options):
    """@overload_attribute(type, name): likewise."""
    return lambda implementation: _member(kind, name, False, implementation)


def _member(kind, name: str, is_called: bool, implementation):
    add_member(kind, name, is_called, implementation)
    return register_member(kind, name, is_called, implementation)


overload_classmethod = _accept
box = unbox = reflect = lower_cast = lower_constant = _accept


def intrinsic(*arguments, **options):
    """A function that makes LLVM IR. Kernels call it if it can be followed (recording.py); elsewhere, a TypingError."""

    def decorate(function):
        def unavailable(*arguments, **named):
            raise TypingError(f"{function.__name__} is an intrinsic, which makes LLVM IR; kiln calls it in kernels only")

        unavailable.__name__, unavailable.__doc__ = function.__name__, function.__doc__
        add_intrinsic(unavailable, function)
        return unavailable

    return decorate(arguments[0]) if arguments and callable(arguments[0]) else decorate


class SentryLiteralArgs:
    """Checks literal arguments; there are none."""

    def __init__(self, literal_args) -> None:
        self.literal_args = literal_args

    def for_function(self, function) -> "SentryLiteralArgs":
        """For one function."""
        return self

    def bind(self, *arguments, **named) -> "SentryLiteralArgs":
        """For one call."""
        return self


class NativeValue:
    """A value in numba's compiler."""

    def __init__(self, value, is_error=None, cleanup=None) -> None:
        self.value, self.is_error, self.cleanup = value, is_error, cleanup



def get_cython_function_address(module_name: str, function_name: str) -> int:
    """Where a C function lies that a module made with Cython exports. ValueError where it exports none of that name."""
    import ctypes
    import importlib

    exported = importlib.import_module(module_name).__pyx_capi__
    if function_name not in exported:
        raise ValueError(f"No function '{function_name}' found in __pyx_capi__ of '{module_name}'")
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype, api.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = exported[function_name]
    return api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
