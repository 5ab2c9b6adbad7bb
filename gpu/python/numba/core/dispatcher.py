"""numba.core.dispatcher: the class of decorated functions, for who asks whether a function is one."""

from numba.extending import is_jitted


class _Decorated(type):
    """Metaclass: instances are the functions that jit decorated."""

    def __instancecheck__(cls, instance) -> bool:
        return is_jitted(instance)


class Dispatcher(metaclass=_Decorated):
    """What isinstance() may be asked with."""
