"""Device memory of one process in another one of the machine: handles, which are bytes that processes send each other."""

import contextlib

import _kiln
from numba.cuda import memory
from numba.cuda.arrays import DeviceNDArray, _DeviceMemory, _numpy
from numba.cuda.layout import contiguous, extent


class _Opened:
    """Another process's memory, mapped until this object goes."""

    def __init__(self, handle: bytes) -> None:
        self.address = _kiln.kernel_ipc_open(bytes(handle))

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            _kiln.kernel_ipc_close(self.address)


class IpcHandle:
    """Device memory that other processes can open: `size` bytes from `offset` on of what the driver's `handle` stands for. It can be pickled."""

    def __init__(self, base, handle, size: int, source_info=None, offset: int = 0) -> None:
        self.base = base  # keeps the memory, in the process that it is of
        self.handle = bytes(handle)
        self.size = size
        self.source_info = source_info
        self.offset = offset
        self._opened = None

    def open(self, context=None):
        """The memory as a MemoryPointer. ValueError when it is open already, or is this process's own."""
        if self.base is not None:
            raise ValueError("opening IpcHandle from original process")
        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        self._opened = _Opened(self.handle)
        return memory.MemoryPointer(context, self._opened.address + self.offset, self.size, owner=self._opened)

    open_direct = open_staged = open

    def open_array(self, context, shape, dtype, strides=None) -> DeviceNDArray:
        """The memory as a device array."""
        return _array_in(self.open(context), shape, dtype, strides)

    def close(self) -> None:
        """Gives the memory back, when no array is in it any more. ValueError when it is not open."""
        if self._opened is None:
            raise ValueError("IpcHandle not opened")
        _kiln.kernel_synchronize(0)
        self._opened = None

    def __reduce__(self):
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class IpcArrayHandle:
    """A device array that other processes can open, `with handle as array:` or by open() and close(). It can be pickled."""

    def __init__(self, ipc_handle: IpcHandle, array_desc: dict) -> None:
        self._ipc_handle = ipc_handle
        self._array_desc = array_desc

    def open(self) -> DeviceNDArray:
        """The array, in another process than the one it is of."""
        return self._ipc_handle.open_array(None, **self._array_desc)

    def close(self) -> None:
        """Gives the array's memory back."""
        self._ipc_handle.close()

    def __enter__(self) -> DeviceNDArray:
        return self.open()

    def __exit__(self, *error) -> None:
        self.close()


def _array_in(pointer, shape, dtype, strides) -> DeviceNDArray:
    kind = _numpy().dtype(dtype)
    sizes = (int(shape),) if hasattr(shape, "__index__") else tuple(int(size) for size in shape)
    steps = tuple(strides) if strides is not None else contiguous(sizes, kind.itemsize, "C")
    low, span = extent(sizes, steps, kind.itemsize)
    if span > pointer.size:
        raise ValueError(f"an array of {span} bytes is more than the {pointer.size} that are shared")
    owner = _DeviceMemory(span, pointer.device_pointer_value, pointer)
    return DeviceNDArray(sizes, steps, kind, owner, pointer.device_pointer_value - low)


def handle_of(array: DeviceNDArray) -> IpcArrayHandle:
    """The handle of a device array's memory. CudaSupportError where it cannot be shared."""
    _kiln.kernel_synchronize(0)
    array._open()
    owner = array._owner
    manager, pointer = memory.manager_of(owner)
    low, _ = array._span()
    offset = array._address + low - owner.address
    if manager is not None:
        shared = manager.get_ipc_handle(pointer)
        shared = IpcHandle(pointer, shared.handle, shared.size, shared.source_info, shared.offset + offset)
    else:
        handle, start = _kiln.kernel_ipc_handle(array._address + low)
        shared = IpcHandle(owner, handle, owner.nbytes, None, array._address + low - start)
    owner.is_shared = True
    return IpcArrayHandle(shared, {"shape": array.shape, "strides": array.strides, "dtype": array.dtype})


@contextlib.contextmanager
def open_ipc_array(handle, shape, dtype, strides=None, offset=0):
    """`with open_ipc_array(handle, shape, dtype) as array:` the memory that a driver's handle of another process stands for."""
    kind = _numpy().dtype(dtype)
    sizes = (int(shape),) if hasattr(shape, "__index__") else tuple(int(size) for size in shape)
    _, span = extent(sizes, strides or contiguous(sizes, kind.itemsize, "C"), kind.itemsize)
    shared = IpcHandle(None, bytes(handle), span, offset=offset)
    try:
        yield shared.open_array(None, sizes, kind, strides)
    finally:
        if shared._opened is not None:
            shared.close()
