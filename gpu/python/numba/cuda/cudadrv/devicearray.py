"""numba.cuda.cudadrv.devicearray: device arrays under their other name."""

from numba.cuda.arrays import DeviceNDArray, is_cuda_array

DeviceNDArrayBase = DeviceNDArray


def is_cuda_ndarray(obj) -> bool:
    """Whether obj is a device array."""
    return isinstance(obj, DeviceNDArray)
