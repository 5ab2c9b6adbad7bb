"""numba.cuda.cudaimpl: where implementations of functions for kernels are registered."""

from numba.core.typing.templates import builtin_registry as registry

lower, lower_attr = registry.lower, registry.lower_getattr
