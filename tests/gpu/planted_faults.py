"""Kernels with a fault that a tool of compute-sanitizer must report: planted_faults.py memcheck|racecheck|synccheck."""

import sys

import numpy as np
from numba import cuda, int32

THREADS = 128


@cuda.jit("void(int32[:])")
def memcheck(x):
    """Writes behind the end of the array."""
    i = cuda.grid(1)
    x[i + (1 << 28)] = i


@cuda.jit("void(int32[:])")
def racecheck(x):
    """Reads what another warp writes, with no barrier between."""
    shared = cuda.shared.array(THREADS, int32)
    i = cuda.threadIdx.x
    shared[i] = x[i]
    x[i] = shared[THREADS - 1 - i]


@cuda.jit("void(int32[:])")
def synccheck(x):
    """A barrier of the first threads of each warp, to which the others come, too."""
    i = cuda.threadIdx.x
    cuda.syncwarp(0xFF)
    x[i] += 1


if __name__ == "__main__":
    array = cuda.to_device(np.arange(THREADS, dtype=np.int32))
    try:
        {"memcheck": memcheck, "racecheck": racecheck, "synccheck": synccheck}[sys.argv[1]][1, THREADS](array)
        cuda.synchronize()
    except cuda.CudaAPIError as error:  # the tool says more
        print(error)
