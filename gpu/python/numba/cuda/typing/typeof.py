"""numba.cuda.typing.typeof: the type of a value."""

from numba.typing import typeof
