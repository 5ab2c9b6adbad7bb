"""numba.core.decorators: jit and its kin by their other name."""

from numba.callbacks import cfunc
from numba.decorators import generated_jit, jit, jit_module, njit
from numba.stencils import stencil
