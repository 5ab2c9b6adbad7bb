"""numba.extending: functions for numba's compiler do nothing here, since Python's own are called."""

from numba.decorators import mark


def register_jitable(*arguments, **options):
    """@register_jitable and @register_jitable(...)."""
    return mark(arguments[0]) if arguments and callable(arguments[0]) else mark


def is_jitted(function) -> bool:
    """Whether jit decorated the function."""
    return function is not None and getattr(function, "py_func", None) is function


def overload(function, *arguments, **options):
    """The overloaded function itself is called; the implementation for numba is not used."""
    return lambda implementation: implementation


overload_method = overload_attribute = overload
