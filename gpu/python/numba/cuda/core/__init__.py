"""numba.cuda.core: numba.core's settings, errors and types under their other name."""

from numba.core import config, errors, types
