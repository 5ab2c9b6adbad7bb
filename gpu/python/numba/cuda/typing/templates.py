"""numba.cuda.typing.templates is numba.core.typing.templates."""

from numba.core.typing.templates import *
