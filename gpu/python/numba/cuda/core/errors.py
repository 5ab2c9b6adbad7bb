"""numba.cuda.core.errors: numba.core.errors."""

import sys

from numba.core import errors

sys.modules[__name__] = errors
