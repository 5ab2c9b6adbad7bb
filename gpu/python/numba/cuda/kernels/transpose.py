"""numba.cuda.kernels.transpose: a matrix transposed on the device."""

import functools

from numba.cuda.arrays import device_array
from numba.cuda.written import define, own_kernel
from numba.typing import from_dtype

_TILE = 32
_TEXT = """
def transpose(source, target):
    tile = cuda.shared.array((TILE, TILE + 1), ELEMENT)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    if row + ty < source.shape[0] and column + tx < source.shape[1]:
        tile[ty, tx] = source[row + ty, column + tx]
    cuda.syncthreads()
    if column + ty < target.shape[0] and row + tx < target.shape[1]:
        target[column + ty, row + tx] = tile[tx, ty]
"""


@functools.cache
def _kernel_for(dtype):
    from numba import cuda

    return own_kernel(define("transpose", _TEXT, cuda=cuda, TILE=_TILE, ELEMENT=from_dtype(dtype))["transpose"])


def transpose(a, b=None):
    """The transposed matrix, in `b` if that is given, else in a new device array."""
    rows, columns = a.shape
    stream = getattr(a, "stream", 0)
    if b is None:
        b = device_array((columns, rows), a.dtype, stream=stream)
    blocks = -(-columns // _TILE), -(-rows // _TILE)
    if rows and columns:
        _kernel_for(a.dtype)[blocks, (_TILE, _TILE), stream](a, b)
    return b
