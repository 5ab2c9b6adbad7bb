"""numba.cuda.cudadrv.driver: what the driver refused, and copies between arrays by bytes."""

from numba.cuda.cudadrv.error import CudaDriverError


class CudaAPIError(CudaDriverError):
    """A launch or a copy that a device cannot do."""

    def __init__(self, *arguments) -> None:
        code, message = arguments if len(arguments) == 2 else (0, arguments[0] if arguments else "")
        self.code = code
        self.msg = message
        super().__init__(code, message)

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}" if self.code else str(self.msg)


class LinkerError(RuntimeError):
    """Never raised by kiln; for those who name it."""


_ELSEWHERE = {
    **dict.fromkeys(("Stream", "Event"), "streams"), **dict.fromkeys(("Device", "Context", "MemoryInfo"), "device"), "IpcHandle": "ipc",
    **dict.fromkeys(("set_memory_manager", "BaseCUDAMemoryManager", "HostOnlyCUDAMemoryManager", "GetIpcHandleMixin", "NumbaCUDAMemoryManager",
                     "MemoryPointer", "AutoFreePointer", "MappedMemory", "PinnedMemory", "ManagedMemory"), "memory"),
}


def __getattr__(name: str):
    """Classes that numba has here and kiln elsewhere, which needs this module itself."""
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'numba.cuda.cudadrv.driver' has no attribute {name!r}", name=name)
    import importlib

    return getattr(importlib.import_module(f"numba.cuda.{_ELSEWHERE[name]}"), name)


class Driver:
    """What programs ask the driver itself."""

    def get_version(self) -> tuple[int, int]:
        """The version of CUDA that the driver, or the CPU backend, goes up to."""
        from numba.cuda.cudadrv.runtime import get_version

        return get_version()

    def get_device_count(self) -> int:
        """How many devices there are."""
        from numba.cuda.device import gpus

        return len(gpus)

    def list_devices(self) -> list:
        """The devices."""
        from numba.cuda.device import gpus

        return gpus.lst

    def get_device(self, devnum: int = 0):
        """One of them."""
        return self.list_devices()[devnum]._device


driver = Driver()


def device_memory_size(devmem) -> int:
    """Bytes of a device array, gaps among them, or of device memory."""
    if not hasattr(devmem, "_span"):
        return getattr(devmem, "nbytes", None) or devmem.size
    low, high = devmem._span()
    return high - low


def _place(array) -> tuple:
    """The memory of a device array, and where in it the array's bytes begin."""
    low, _ = array._span()
    return array._owner, array._address + low - array._owner.address


def _bytes_of(host):
    import numpy

    raw = numpy.asarray(host)
    return (raw if raw.flags.c_contiguous else raw.T).reshape(-1).view(numpy.uint8)


def host_to_device(dst, src, size: int, stream=0) -> None:
    """Copies the first bytes of a contiguous NumPy array to those of a device array."""
    memory, begin = _place(dst)
    memory.write(_bytes_of(src)[:size], begin, int(stream))


def device_to_host(dst, src, size: int, stream=0) -> None:
    """Copies the first bytes of a device array to those of a contiguous NumPy array."""
    memory, begin = _place(src)
    memory.read(_bytes_of(dst)[:size], begin, int(stream))


def device_to_device(dst, src, size: int, stream=0) -> None:
    """Copies the first bytes of a device array to those of another."""
    memory, begin = _place(dst)
    other, start = _place(src)
    memory.copy(other, start, begin, size, int(stream))


def device_memset(dst, val: int, size: int, stream=0) -> None:
    """Sets the first bytes of a device array."""
    memory, begin = _place(dst)
    memory.write(bytes([val]) * size, begin, int(stream))
