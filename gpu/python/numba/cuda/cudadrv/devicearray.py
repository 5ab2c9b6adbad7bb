"""numba.cuda.cudadrv.devicearray: device arrays under their other name, and what numba says of them."""

from numba.cuda import arrays
from numba.cuda.arrays import DeviceNDArray, DeviceRecord, as_cuda_array, is_cuda_array, to_device
from numba.cuda.ipc import IpcArrayHandle

DeviceNDArrayBase = DeviceNDArray
errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. Please ensure contiguous buffer with "
    "numpy .ascontiguousarray()"
)


def __getattr__(name: str):
    """MappedNDArray and ManagedNDArray, which are NumPy's arrays and made when they are first asked for."""
    if name in ("MappedNDArray", "ManagedNDArray"):
        return arrays._host_class(name)
    raise AttributeError(f"module 'numba.cuda.cudadrv.devicearray' has no attribute {name!r}", name=name)


def is_contiguous(ary) -> bool:
    """Whether the last dimension is the fastest one, without gaps; dimensions of length 1 and those that are broadcast say nothing."""
    step = ary.dtype.itemsize
    for size, stride in zip(reversed(ary.shape), reversed(ary.strides)):
        if size > 1 and stride != 0:
            if stride != step:
                return False
            step *= size
    return True


def array_core(ary):
    """A view of an array with one element along each dimension that is broadcast (with a stride of 0)."""
    return ary[tuple(0 if stride == 0 else slice(None) for stride in ary.strides)] if ary.strides and ary.size else ary


def sentry_contiguous(ary) -> None:
    """ValueError for an array with gaps, those of broadcasting aside."""
    if not is_contiguous(array_core(ary)):
        raise ValueError(errmsg_contiguous_buffer)


def check_array_compatibility(ary1, ary2) -> None:
    """TypeError or ValueError where the elements of one array cannot be copied to the other as they lie."""
    if ary1.dtype != ary2.dtype:
        raise TypeError(f"incompatible dtype: {ary1.dtype} vs. {ary2.dtype}")
    one, other = ary1.squeeze(), ary2.squeeze()
    if one.shape != other.shape:
        raise ValueError(f"incompatible shape: {ary1.shape} vs. {ary2.shape}")
    if one.size and one.strides != other.strides:
        raise ValueError(f"incompatible strides: {ary1.strides} vs. {ary2.strides}")


def auto_device(obj, stream=0, copy=True, user_explicit=False) -> tuple:
    """A device array, or record, for obj, and whether it is a new one."""
    return (as_cuda_array(obj), False) if is_cuda_array(obj) else (to_device(obj, stream, copy), True)


def from_array_like(ary, stream=0, gpu_data=None) -> DeviceNDArray:
    """A device array of the shape, type and strides of ary, in the memory that is given or in new one."""
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream=stream, gpu_data=gpu_data)


def from_record_like(rec, stream=0, gpu_data=None) -> DeviceRecord:
    """A device record of the type of rec, in the memory that is given or in new one."""
    return DeviceRecord(rec.dtype, stream, gpu_data)


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
