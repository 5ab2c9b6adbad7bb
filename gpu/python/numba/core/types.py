"""numba.core.types is numba.types."""

import numba.types as _types
from numba.types import *

__path__: list = []  # the modules in it: numba.cuda.internals
globals().update({name: value for name, value in vars(_types).items() if not name.startswith("_")})
