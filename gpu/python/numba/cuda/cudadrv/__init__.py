"""numba.cuda.cudadrv: where programs find the exceptions and the array class."""

from numba.cuda.cudadrv import devicearray, driver, enums, error, nvrtc, runtime
