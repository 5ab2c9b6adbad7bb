"""Memory managers of programs, such as RMM's: where device arrays get their memory from in place of kiln's own pool."""

import contextlib
import ctypes
from abc import ABCMeta, abstractmethod

import _kiln

_, _, _DeviceMemory, _PinnedMemory = _kiln.kernel_types()
_chosen = None  # the class of the manager
_managers: dict = {}  # by device


class MemoryPointer:
    """`size` bytes at an address of the device. `finalizer` is called, once, when nothing refers to it any more; `owner` lives as long."""

    __cuda_memory__ = True

    def __init__(self, context, pointer, size: int, owner=None, finalizer=None) -> None:
        self.context = context
        self.device_pointer = pointer
        self.size = size
        self._owner = owner
        self._finalizer = finalizer
        self._manager = None
        self.is_managed = finalizer is not None

    @property
    def owner(self):
        """What keeps the memory; by default this object."""
        return self if self._owner is None else self._owner

    @property
    def device_pointer_value(self):
        """The address as an int; None of no memory."""
        return getattr(self.device_pointer, "value", self.device_pointer) or None

    @property
    def device_ctypes_pointer(self):
        """The address, as a program passes it on by ctypes."""
        return ctypes.c_void_p(self.device_pointer_value)

    def __int__(self) -> int:
        return self.device_pointer_value or 0

    def own(self) -> "MemoryPointer":
        """What keeps the memory for others: this object does."""
        return self

    def free(self) -> None:
        """Calls the finalizer, if it was not called before."""
        finalizer, self._finalizer = self._finalizer, None
        if finalizer is not None:
            finalizer()

    def __del__(self) -> None:
        self.free()

    def view(self, start: int, stop: int | None = None) -> "MemoryPointer":
        """The bytes from start to stop. RuntimeError for none of these."""
        end = self.size if stop is None else stop
        if not 0 <= start <= end <= self.size:
            raise RuntimeError("size cannot be negative" if end < start else "the view is not in the memory")
        return type(self)(self.context, int(self) + start, end - start, owner=self.owner)

    def memset(self, byte: int, count: int | None = None, stream=0) -> None:
        """Sets the bytes, or the first of them."""
        length = self.size if count is None else count
        _DeviceMemory(self.size, int(self), self).write(bytes([byte]) * length, 0, int(getattr(stream, "handle", stream)))


class AutoFreePointer(MemoryPointer):
    """A MemoryPointer; both free what they have."""


class MappedMemory(AutoFreePointer):
    """Memory of the host that the device sees at an address."""

    def __init__(self, context, pointer, size: int, owner=None, finalizer=None) -> None:
        super().__init__(context, pointer, size, owner, finalizer)
        self.host_pointer = pointer
        self._bufptr_ = int(self)
        self._buflen_ = size

    def __buffer__(self, flags):
        return memoryview((ctypes.c_char * self.size).from_address(int(self)))


class ManagedMemory(MappedMemory):
    """Memory that moves to where it is used."""


class PinnedMemory(MappedMemory):
    """Memory of the host that the device copies from and to without a detour."""


class BaseCUDAMemoryManager(metaclass=ABCMeta):
    """What a memory manager must have. `context` is the one that it is for."""

    def __init__(self, *arguments, **options) -> None:
        self.context = options.get("context")

    @abstractmethod
    def memalloc(self, size: int) -> MemoryPointer:
        """Memory on the device."""

    @abstractmethod
    def memhostalloc(self, size: int, mapped: bool, portable: bool, wc: bool):
        """Memory of the host: MappedMemory, or PinnedMemory."""

    @abstractmethod
    def mempin(self, owner, pointer, size: int, mapped: bool):
        """Memory that exists, pinned: MappedMemory, or PinnedMemory."""

    @abstractmethod
    def initialize(self) -> None:
        """Called before the manager is first used in a context."""

    @abstractmethod
    def get_ipc_handle(self, memory: MemoryPointer):
        """An IpcHandle of memory that memalloc gave."""

    @abstractmethod
    def get_memory_info(self) -> tuple:
        """MemoryInfo(free, total)."""

    @abstractmethod
    def reset(self) -> None:
        """Called when the context is reset: what was given out goes."""

    @abstractmethod
    def defer_cleanup(self):
        """A context manager in which nothing is freed."""

    @property
    @abstractmethod
    def interface_version(self) -> int:
        """The version of this interface: 1."""


class Deallocations:
    """What waits to be freed, which is nothing: memory is freed in the order of a stream, without waiting."""

    is_locked = False

    def add_item(self, dtor, handle, size: int = 0) -> None:
        """Calls dtor(handle)."""
        dtor(handle)

    def clear(self) -> None:
        """Changes nothing."""

    def disable(self):
        """A context manager that changes nothing."""
        return contextlib.nullcontext()

    def __len__(self) -> int:
        return 0


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """The base of managers of device memory: the host's is kiln's own."""

    def __init__(self, *arguments, **options) -> None:
        super().__init__(*arguments, **options)
        self.allocations: dict = {}
        self.deallocations = Deallocations()

    def memhostalloc(self, size: int, mapped: bool = False, portable: bool = False, wc: bool = False):
        """Pinned memory from kiln."""
        kept = _PinnedMemory(max(size, 1), False)
        address = ctypes.addressof(ctypes.c_char.from_buffer(kept))
        return (MappedMemory if mapped else PinnedMemory)(self.context, address, size, owner=kept)

    def mempin(self, owner, pointer, size: int, mapped: bool = False):
        """Pins memory of the program's until the result goes."""
        address = int(getattr(pointer, "value", pointer))
        _kiln.kernel_pin(address, size)
        return (MappedMemory if mapped else PinnedMemory)(self.context, address, size, owner, lambda: _kiln.kernel_pin(address, -1))

    def memallocmanaged(self, size: int, attach_global: bool = True) -> ManagedMemory:
        """Memory from kiln that moves."""
        kept = _PinnedMemory(max(size, 1), True)
        return ManagedMemory(self.context, ctypes.addressof(ctypes.c_char.from_buffer(kept)), size, owner=kept)

    def reset(self) -> None:
        """Forgets what was given out."""
        self.allocations.clear()

    @contextlib.contextmanager
    def defer_cleanup(self):
        """Changes nothing: kiln's memory is freed without waiting."""
        yield


class GetIpcHandleMixin:
    """get_ipc_handle by the driver, for managers whose memory is from cuMemAlloc."""

    def get_ipc_handle(self, memory: MemoryPointer):
        """The handle of the allocation that the memory is in. CudaSupportError where the driver has none."""
        from numba.cuda.ipc import IpcHandle

        handle, start = _kiln.kernel_ipc_handle(int(memory))
        return IpcHandle(memory, handle, memory.size, None, int(memory) - start)


class NumbaCUDAMemoryManager(GetIpcHandleMixin, HostOnlyCUDAMemoryManager):
    """Memory that the driver allocates each time, and that other processes can open: slower than kiln's pool."""

    def initialize(self) -> None:
        """Needs nothing."""

    def memalloc(self, size: int) -> MemoryPointer:
        """From the driver; on the CPU, where nothing is shared, from kiln."""
        if _kiln.kernel_backend()[0] != "gpu":
            kept = _DeviceMemory(size)
            return MemoryPointer(self.context, kept.address, size, owner=kept)
        address = _kiln.kernel_allocate_shareable(size)
        return MemoryPointer(self.context, address, size, finalizer=lambda: _kiln.kernel_free_shareable(address))

    def get_memory_info(self):
        """Of the device in use."""
        from numba.cuda.device import MemoryInfo

        info = _kiln.kernel_device(_kiln.kernel_selected_device())
        return MemoryInfo(info["free_bytes"], info["total_bytes"])

    @property
    def interface_version(self) -> int:
        """1."""
        return 1


def set_memory_manager(mm_plugin) -> None:
    """Device arrays that are made from now on get their memory from a manager of this class, one for each device. RuntimeError for one of another
    version of the interface."""
    global _chosen
    version = mm_plugin(context=None).interface_version
    if version != 1:
        raise RuntimeError(f"EMM Plugin interface has version {version} - version 1 required")
    _chosen = mm_plugin
    _managers.clear()


def current():
    """The manager for the device in use; None where kiln's pool is."""
    if _chosen is None:
        return None
    from numba.cuda.device import current_context

    device = _kiln.kernel_selected_device()
    if device not in _managers:
        manager = _chosen(context=current_context())
        manager.initialize()
        _managers[device] = manager
    return _managers[device]


def allocated(size: int):
    """Device memory from the manager, or from kiln."""
    manager = current()
    if manager is None:
        return _DeviceMemory(size)
    pointer = manager.memalloc(size)
    pointer._manager = manager
    return _DeviceMemory(size, int(pointer), pointer)


def manager_of(owner) -> tuple:
    """The manager that gave the memory, and what it gave; (None, None) for other memory."""
    pointer = owner.owner
    manager = getattr(pointer, "_manager", None)
    return (manager, pointer) if manager is not None else (None, None)
