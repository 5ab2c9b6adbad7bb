"""numba.core.imputils: where implementations are registered."""

from numba.core.typing.templates import Registry, builtin_registry
from numba.structures import lower as lower_builtin

lower_getattr, lower_getattr_generic = builtin_registry.lower_getattr, builtin_registry.lower_getattr_generic


def impl_ret_borrowed(context, builder, kind, value):
    """The value."""
    return value


impl_ret_new_ref = impl_ret_untracked = impl_ret_borrowed
