"""numba.cuda.cudadecl: where the types of functions for kernels are registered."""

from numba.core.typing.templates import builtin_registry as registry

register, register_attr, register_global = registry.register, registry.register_attr, registry.register_global
