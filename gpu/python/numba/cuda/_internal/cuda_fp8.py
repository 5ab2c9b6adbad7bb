"""numba.cuda._internal.cuda_fp8: floats of 8 bits where numba has them."""

from numba.cuda import fp8
from numba.cuda.fp8 import *

globals().update(fp8.TYPES)
