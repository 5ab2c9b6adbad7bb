"""numba.misc.special: functions that mean something to numba's compiler."""

from numba.parallel import parallel_chunksize, pndindex, prange
from numba.typing import literal_unroll, literally, typeof
