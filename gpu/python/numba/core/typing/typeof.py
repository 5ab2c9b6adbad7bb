"""numba.core.typing.typeof: types of values."""

from numba.structures import typeof_impl
from numba.typing import typeof
