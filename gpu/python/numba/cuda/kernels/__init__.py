"""numba.cuda.kernels: functions that are kernels inside."""
