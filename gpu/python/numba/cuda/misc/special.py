"""numba.cuda.misc.special: functions that kernels see through."""

from numba.typing import literal_unroll, literally
