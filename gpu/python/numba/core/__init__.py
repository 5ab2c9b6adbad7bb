"""numba.core: where programs find errors, types and config."""

from numba.core import config, errors
