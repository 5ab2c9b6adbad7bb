"""numba.core.types is numba.types."""

import numba.types as _types
from numba.types import *

globals().update({name: value for name, value in vars(_types).items() if not name.startswith("_")})
