"""numba.cuda.extending: functions for kernels in place of others, types of the program's. What kiln cannot follow has an error that says so."""

from numba.core.datamodel import models
from numba.core.datamodel import models as core_models
from numba.core.errors import UnsupportedError
from numba.core.imputils import lower_builtin, lower_getattr, lower_getattr_generic
from numba.core.typing.templates import infer, infer_getattr, infer_global
from numba.extending import NativeValue, SentryLiteralArgs, as_numba_type, box, intrinsic, overload_classmethod, reflect, unbox
from numba.overloads import register, register_member
from numba.structures import make_attribute_wrapper, register_model, type_callable, typeof_impl


def overload(function, *arguments, **options):
    """@overload(function): called with the types of a call's arguments, gives the function for kernels, or None."""
    return lambda implementation: register(function, implementation, bool(options.get("prefer_literal")))


def overload_method(kind, name: str, **options):
    """@overload_method(type, name): as overload(), for a method of values of a type, which are the first argument."""
    return lambda implementation: register_member(kind, name, True, implementation)


def overload_attribute(kind, name: str, **options):
    """@overload_attribute(type, name): as overload_method(), for an attribute."""
    return lambda implementation: register_member(kind, name, False, implementation)


def register_jitable(*arguments, **options):
    """@register_jitable and @register_jitable(...): the function may be called in kernels."""
    from numba.cuda.dispatcher import jit

    return jit(arguments[0], device=True) if arguments and callable(arguments[0]) else lambda function: jit(function, device=True)


def is_jitted(function) -> bool:
    """Whether cuda.jit decorated the function."""
    from numba.cuda.dispatcher import CUDADispatcher

    return isinstance(function, CUDADispatcher)


def _refuse(name: str):
    def refused(*arguments, **options):
        raise UnsupportedError(f"numba.cuda.extending.{name} makes LLVM IR, which kiln's kernels do not; overload() takes Python functions")

    refused.__name__ = name
    return refused


for _name in ("lower_cast", "lower_constant", "lower_setattr", "lower_setattr_generic"):
    globals()[_name] = _refuse(_name)
