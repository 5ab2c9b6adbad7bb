"""numba.cuda.cudadrv.devicearray: device arrays under their other name."""

from numba.cuda.arrays import DeviceNDArray, is_cuda_array

from numba.cuda.arrays import as_cuda_array, device_array_like, to_device

DeviceNDArrayBase = DeviceNDArray
errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. Please ensure contiguous buffer with "
    "numpy .ascontiguousarray()"
)


def is_contiguous(ary) -> bool:
    """Whether an array has no gaps and no negative strides, whatever the order of its dimensions."""
    step = ary.dtype.itemsize
    for size, stride in sorted(zip(ary.shape, ary.strides), key=lambda pair: pair[1]):
        if size > 1 and stride != step:
            return False
        step *= size
    return True


def sentry_contiguous(ary) -> None:
    """ValueError for an array with gaps."""
    if not is_contiguous(ary):
        raise ValueError(errmsg_contiguous_buffer)


def auto_device(obj, stream=0, copy=True, user_explicit=False) -> tuple:
    """A device array for obj, and whether it is a new one."""
    return (as_cuda_array(obj), False) if is_cuda_array(obj) else (to_device(obj, stream, copy), True)


def from_array_like(ary, stream=0, gpu_data=None):
    """A device array of the shape, type and order of ary."""
    return device_array_like(ary, stream)


def verify_cuda_ndarray_interface(obj) -> None:
    """AttributeError for what is no device array."""
    for name in ("shape", "strides", "dtype", "size", "device_ctypes_pointer"):
        if not hasattr(obj, name):
            raise AttributeError(name)


def require_cuda_ndarray(obj) -> None:
    """ValueError for what is no device array."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def is_cuda_ndarray(obj) -> bool:
    """Whether obj is a device array."""
    return isinstance(obj, DeviceNDArray)
