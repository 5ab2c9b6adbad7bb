"""numba.cuda.api: functions of numba.cuda under their other name."""

from numba.cuda import *
