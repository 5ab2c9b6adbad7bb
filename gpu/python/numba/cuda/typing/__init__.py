"""numba.cuda.typing is numba.core.typing."""

from numba.core.typing import *
from numba.cuda.typing.typeof import typeof
