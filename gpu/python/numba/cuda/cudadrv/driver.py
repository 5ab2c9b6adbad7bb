"""numba.cuda.cudadrv.driver: what the driver refused, and copies between arrays by bytes."""

import _kiln
from numba.cuda.cudadrv import enums
from numba.cuda.cudadrv.error import CudaDriverError, LinkerError
from numba.cuda.cudadrv.modules import FuncAttr, Function, Module, load_module_image


class CudaAPIError(CudaDriverError):
    """A launch or a copy that a device cannot do."""

    def __init__(self, *arguments) -> None:
        code, message = arguments if len(arguments) == 2 else (0, arguments[0] if arguments else "")
        self.code = code
        self.msg = message
        super().__init__(code, message)

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}" if self.code else str(self.msg)


class DeadMemoryError(RuntimeError):
    """Never raised by kiln; for those who name it."""


_ELSEWHERE = {
    **dict.fromkeys(("Stream", "Event", "event_elapsed_time"), "streams"), **dict.fromkeys(("profile_start", "profile_stop", "profiling"), "device"), **dict.fromkeys(("Device", "Context", "MemoryInfo"), "device"), "IpcHandle": "ipc",
    **dict.fromkeys(("set_memory_manager", "BaseCUDAMemoryManager", "HostOnlyCUDAMemoryManager", "GetIpcHandleMixin", "NumbaCUDAMemoryManager",
                     "MemoryPointer", "AutoFreePointer", "MappedMemory", "PinnedMemory", "ManagedMemory"), "memory"),
    **dict.fromkeys(("_Linker", "inspect_obj_content"), "cudadrv.linker"),
}
# What numba has here and kiln has not, and what there is instead.
_REFUSED = {
    "launch_kernel": "loaded functions are launched by cuda.core: launch(stream, config, function.kernel, ...); kernels of the program's by kernel[grid, block](...)",
    **dict.fromkeys(("OwnedPointer", "MappedOwnedPointer", "ManagedOwnedPointer"), "a MemoryPointer's own() is the memory itself, which frees what it has when it goes"),
}
CU_STREAM_DEFAULT = 0
MIN_REQUIRED_CC = (3, 5)
SUPPORTS_IPC = True
CudaPythonModule, CudaPythonFunction = Module, Function


def __getattr__(name: str):
    """Classes that numba has here and kiln elsewhere, which needs this module itself."""
    if name == "binding":
        return _binding()
    if name == "ERROR_MAP":
        return {number: error for error, number in vars(enums).items() if error.startswith("CUDA_ERROR")}
    if name in _REFUSED:
        raise AttributeError(f"numba.cuda.cudadrv.driver.{name}: kiln has none: {_REFUSED[name]}", name=name)
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'numba.cuda.cudadrv.driver' has no attribute {name!r}", name=name)
    import importlib

    module = importlib.import_module(f"numba.cuda.{_ELSEWHERE[name]}")
    return module.Linker if name == "_Linker" else getattr(module, name)


def _binding():
    """cuda.bindings.driver. ImportError where it is not installed: kiln calls libcuda itself."""
    try:
        from cuda.bindings import driver as found
    except ImportError as error:
        raise ImportError("kiln calls libcuda itself; the package cuda-bindings has the driver's functions for Python") from error
    return found


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

    @property
    def is_available(self) -> bool:
        """Whether kernels run."""
        from numba.cuda.device import is_available

        return is_available()

    def ensure_initialized(self) -> None:
        """Starts what runs kernels. CudaSupportError where nothing does."""
        _kiln.kernel_backend()

    def reset(self) -> None:
        """Resets all devices."""
        for device in self.list_devices():
            device.reset()

    def get_active_context(self) -> "_ActiveContext":
        """`with driver.get_active_context() as active:` the thread's context: active.context_handle and active.devnum."""
        return _ActiveContext()

    def pop_active_context(self):
        """Has the thread use the device before the last push(), and gives the handle of the context that it used; None where nothing was pushed."""
        from numba.cuda.device import Context

        with self.get_active_context() as active:
            was_pushed = active and Context(self.get_device(active.devnum)).pop()
            return active.context_handle if was_pushed else None

    def __getattr__(self, name: str):
        if name.startswith("cu"):
            raise AttributeError(f"driver.{name}: kiln calls libcuda itself; cuda.bindings.driver.{name} is there for programs", name=name)
        raise AttributeError(f"the driver has no {name}", name=name)


class _ActiveContext:
    """The thread's context, which must not change until the scope ends."""

    context_handle = devnum = None

    def __enter__(self) -> "_ActiveContext":
        if _kiln.kernel_has_started():
            self.devnum = _kiln.kernel_selected_device()
            self.context_handle = _kiln.kernel_context(self.devnum)
        return self

    def __exit__(self, *_) -> None:
        """Nothing."""

    def __bool__(self) -> bool:
        return self.devnum is not None


driver = Driver()


def get_version() -> tuple[int, int]:
    """The version of CUDA that the driver, or the CPU backend, goes up to."""
    return driver.get_version()


def get_devptr_for_active_ctx(ptr: int) -> int:
    """The address itself: host and devices have one space of addresses."""
    return int(ptr)


def device_memory_depends(devmem, *objs) -> None:
    """Keeps objects as long as device memory."""
    devmem._depends = (*getattr(devmem, "_depends", ()), *objs)


def device_memory_size(devmem) -> int:
    """Bytes of a device array, gaps among them, or of device memory."""
    if not hasattr(devmem, "_span"):
        return getattr(devmem, "nbytes", None) or devmem.size
    low, high = devmem._span()
    return high - low


def memory_size_from_info(shape: tuple, strides: tuple, itemsize: int) -> int:
    """Bytes from the first to the last of an array of this shape."""
    from numba.cuda.layout import extent

    return extent(tuple(shape), tuple(strides), itemsize)[1]


def host_memory_extents(obj) -> tuple[int, int]:
    """Where the bytes of a NumPy array, or of another object with a buffer, begin and end."""
    import numpy

    array = numpy.asarray(obj)
    return numpy.lib.array_utils.byte_bounds(array) if hasattr(numpy.lib, "array_utils") else numpy.byte_bounds(array)


def host_memory_size(obj) -> int:
    """How many bytes that are, gaps among them."""
    begin, end = host_memory_extents(obj)
    return end - begin


def host_pointer(obj, readonly: bool = False) -> int:
    """The address of a NumPy array's first element. ValueError where it is to be written and cannot be."""
    import numpy

    if isinstance(obj, int):
        return obj
    address, is_constant = numpy.asarray(obj).__array_interface__["data"]
    if is_constant and not readonly:
        raise ValueError("buffer source array is read-only")
    return address


def is_device_memory(obj) -> bool:
    """Whether an object is memory of a device, or an array in it."""
    return bool(getattr(obj, "__cuda_memory__", False))


def require_device_memory(obj) -> None:
    """Exception where it is not."""
    if not is_device_memory(obj):
        raise Exception("Not a CUDA memory object.")


def device_ctypes_pointer(obj):
    """The address of device memory as ctypes has it; that of None is null."""
    import ctypes

    if obj is None:
        return ctypes.c_void_p(0)
    require_device_memory(obj)
    return obj.device_ctypes_pointer


def device_pointer(obj) -> int:
    """The address of device memory."""
    return device_ctypes_pointer(obj).value


def device_extents(devmem) -> tuple[int, int]:
    """Where the bytes of a device array begin and end."""
    low, high = devmem._span()
    return devmem._fixed_address() + low, devmem._fixed_address() + high


def _place(array) -> tuple:
    """The memory of a device array, and where in it the array's bytes begin; that of a MemoryPointer, or of an array that the device sees."""
    from numba.cuda.memory import MemoryPointer

    if isinstance(array, MemoryPointer):
        return _kiln.kernel_types()[2](array.size, int(array), array), 0
    if not hasattr(array, "_span"):  # of the host, and seen by the device: a NumPy array
        address, size = host_pointer(array), host_memory_size(array)
        return _kiln.kernel_types()[2](size, address, array), 0
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
