"""numba.cuda.core.imputils is numba.core.imputils."""

from numba.core.imputils import *
