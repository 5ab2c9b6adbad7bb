"""numba.extending: what is said to numba's compiler has no effect, since Python's own functions are called.

An overload of a function that does nothing itself is its implementation.
"""

from types import FunctionType

from numba.by_types import dispatch
from numba.core.errors import TypingError
from numba.decorators import mark


def register_jitable(*arguments, **options):
    """@register_jitable and @register_jitable(...)."""
    return mark(arguments[0]) if arguments and callable(arguments[0]) else mark


def is_jitted(function) -> bool:
    """Whether jit decorated the function."""
    return function is not None and getattr(function, "py_func", None) is function


def overload(function, *arguments, **options):
    """The overloaded function itself is called if it does something; else what the decorated function gives for the types."""

    def decorate(chooser):
        if isinstance(function, FunctionType):
            dispatch(function, chooser)
        return chooser

    return decorate


def _accept(*arguments, **options):
    """Stands for decorators of code for numba's compiler."""
    return lambda function: function


overload_method = overload_attribute = overload_classmethod = _accept
typeof_impl = type("_TypeofImpl", (), {"register": staticmethod(_accept)})()
as_numba_type = type("_AsNumbaType", (), {"register": staticmethod(_accept)})()
type_callable = infer = infer_global = infer_getattr = register_model = box = unbox = reflect = _accept
lower_builtin = lower_cast = lower_getattr = lower_getattr_generic = lower_setattr = lower_constant = _accept


def make_attribute_wrapper(typeclass, struct_attr: str, python_attr: str) -> None:
    """Accepted: Python finds attributes itself."""


def intrinsic(*arguments, **options):
    """A function that makes LLVM IR, for which kiln has no use. TypingError when it is called."""

    def decorate(function):
        def unavailable(*arguments, **named):
            raise TypingError(f"{function.__name__} is an intrinsic, which makes LLVM IR; kiln cannot call it")

        unavailable.__name__, unavailable.__doc__ = function.__name__, function.__doc__
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


class models:
    """Models of data for numba's compiler, to derive from."""


models.StructModel = models.PrimitiveModel = models.OpaqueModel = models.PointerModel = type("DataModel", (), {})
