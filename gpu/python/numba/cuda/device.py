"""Devices, contexts, and whether there are any: asked without starting CUDA, so that a fork stays safe."""

import collections
import contextlib
import sys
import threading
import weakref

import _kiln
from numba.cuda.cudadrv.error import CudaSupportError
from numba.cuda import streams

_kiln.kernel_package_folders(list(sys.path))

# The driver's numbers of what programs ask a device for, and what the CPU answers.
_ATTRIBUTES = {
    "MAX_THREADS_PER_BLOCK": (1, 1024),
    "MAX_BLOCK_DIM_X": (2, 1024),
    "MAX_BLOCK_DIM_Y": (3, 1024),
    "MAX_BLOCK_DIM_Z": (4, 64),
    "MAX_GRID_DIM_X": (5, 2147483647),
    "MAX_GRID_DIM_Y": (6, 65535),
    "MAX_GRID_DIM_Z": (7, 65535),
    "MAX_SHARED_MEMORY_PER_BLOCK": (8, 49152),
    "TOTAL_CONSTANT_MEMORY": (9, 65536),
    "WARP_SIZE": (10, 32),
    "MAX_PITCH": (11, 2147483647),
    "MAX_REGISTERS_PER_BLOCK": (12, 65536),
    "CLOCK_RATE": (13, 1000000),
    "TEXTURE_ALIGNMENT": (14, 512),
    "GPU_OVERLAP": (15, 0),
    "MULTI_PROCESSOR_COUNT": (16, None),
    "MULTIPROCESSOR_COUNT": (16, None),
    "KERNEL_EXEC_TIMEOUT": (17, 0),
    "INTEGRATED": (18, 1),
    "CAN_MAP_HOST_MEMORY": (19, 1),
    "COMPUTE_MODE": (20, 0),
    "CONCURRENT_KERNELS": (31, 0),
    "ECC_ENABLED": (32, 0),
    "PCI_BUS_ID": (33, 0),
    "PCI_DEVICE_ID": (34, 0),
    "TCC_DRIVER": (35, 0),
    "MEMORY_CLOCK_RATE": (36, 0),
    "GLOBAL_MEMORY_BUS_WIDTH": (37, 0),
    "L2_CACHE_SIZE": (38, 0),
    "MAX_THREADS_PER_MULTI_PROCESSOR": (39, 1024),
    "ASYNC_ENGINE_COUNT": (40, 0),
    "UNIFIED_ADDRESSING": (41, 1),
    "PCI_DOMAIN_ID": (50, 0),
    "COMPUTE_CAPABILITY_MAJOR": (75, 7),
    "COMPUTE_CAPABILITY_MINOR": (76, 5),
    "GLOBAL_L1_CACHE_SUPPORTED": (79, 0),
    "LOCAL_L1_CACHE_SUPPORTED": (80, 0),
    "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": (81, 49152),
    "MAX_REGISTERS_PER_MULTIPROCESSOR": (82, 65536),
    "MANAGED_MEMORY": (83, 1),
    "IS_MULTI_GPU_BOARD": (84, 0),
    "SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO": (87, 2),
    "PAGEABLE_MEMORY_ACCESS": (88, 1),
    "CONCURRENT_MANAGED_ACCESS": (89, 1),
    "COOPERATIVE_LAUNCH": (95, 0),
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": (97, 49152),
}


def synchronize() -> None:
    """Waits for everything that was launched, and for the callbacks of streams."""
    _kiln.kernel_synchronize(0)
    streams.wait_for_callbacks()


def is_available() -> bool:
    """Whether kernels run: always, since the CPU runs them where no GPU does; with KILN_OFFLOAD=gpu, whether there is one."""
    return bool(_kiln.kernel_probe()[2])


def is_supported_version() -> bool:
    """Whether the CUDA version in use is supported."""
    return is_available()


def cuda_error():
    """Why the GPU cannot be used, or None."""
    _, why, devices = _kiln.kernel_probe()
    return None if devices else why


class DeviceName(str):
    """A name; older versions of numba have it as bytes, whose decode() programs call."""

    def decode(self, *options) -> str:
        """The name."""
        return str(self)


class Device:
    """A device: a GPU, or the CPU's cores. Its limits and properties are attributes under the driver's names."""

    def __init__(self, number: int, name: str, uuid: str, capability: int) -> None:
        self.id = number
        self.name = DeviceName(name)
        self.uuid = uuid
        self.compute_capability = divmod(capability, 10)
        self.supports_float16 = capability >= 53
        self.supports_bfloat16 = capability >= 80
        self.supports_fp8 = capability >= 89

    def __getattr__(self, name: str):
        if name not in _ATTRIBUTES:
            raise AttributeError(f"a device has no {name}")
        number, on_cpu = _ATTRIBUTES[name]
        if _kiln.kernel_backend()[0] == "gpu":
            return _kiln.kernel_device_attribute(self.id, number)
        return _kiln.kernel_device(0)["multiprocessors"] if on_cpu is None else on_cpu

    def __eq__(self, other) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def get_primary_context(self) -> "Context":
        """The device's context."""
        return Context(self)

    def get_device_identity(self) -> dict:
        """Where the device is on the bus."""
        return {"pci_domain_id": self.PCI_DOMAIN_ID, "pci_bus_id": self.PCI_BUS_ID, "pci_device_id": self.PCI_DEVICE_ID}

    @classmethod
    def from_identity(cls, identity: dict) -> "Device":
        """The device that is there. RuntimeError where none is."""
        for entry in gpus:
            if entry._device.get_device_identity() == identity:
                return entry._device
        raise RuntimeError(f"No device of {identity} is found. Target device may not be visible in this process.")

    def reset(self) -> None:
        """Waits for everything; memory goes when its arrays go."""
        synchronize()

    release_primary_context = reset

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} '{self.name}'>"


class DeviceManager:
    """An entry of cuda.gpus: the device, and `with cuda.gpus[1]:` makes it the thread's."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._before = []

    def __getattr__(self, name: str):
        return getattr(self._device, name)

    def __enter__(self) -> None:
        self._before.append(_kiln.kernel_selected_device())
        _kiln.kernel_select_device(self._device.id)

    def __exit__(self, *_) -> None:
        _kiln.kernel_select_device(self._before.pop())

    def __repr__(self) -> str:
        return f"<Managed Device {self._device.id}>"


class _DeviceList:
    """cuda.gpus: all devices; looked for when it is asked."""

    def __init__(self) -> None:
        self._found = None

    @property
    def lst(self) -> list[DeviceManager]:
        """The devices. CudaSupportError when there is none."""
        if self._found is None:
            _, why, devices = _kiln.kernel_probe()
            if not devices:
                raise CudaSupportError(why)
            self._found = [DeviceManager(Device(number, *row)) for number, row in enumerate(devices)]
        return self._found

    @property
    def current(self) -> DeviceManager:
        """The one in use."""
        return self.lst[_kiln.kernel_selected_device()]

    def __getitem__(self, index):
        return self.lst[index]

    def __iter__(self):
        return iter(self.lst)

    def __len__(self) -> int:
        return len(self.lst)

    def __repr__(self) -> str:
        return f"<{', '.join(map(repr, self.lst))}>"


MemoryInfo = collections.namedtuple("MemoryInfo", "free total")
# By device.
_loaded: dict = collections.defaultdict(weakref.WeakValueDictionary)
_allocated: dict = collections.defaultdict(weakref.WeakValueDictionary)


class Context:
    """The state of a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.id = device.id
        self.extras = {}

    @property
    def modules(self):
        """Code that the program loaded on the device and still keeps, by its handle."""
        return _loaded[self.id]

    @property
    def allocations(self):
        """Memory that memalloc() gave on the device and that the program still keeps, by its address."""
        return _allocated[self.id]

    @property
    def deallocations(self):
        """Memory that waits to be freed, which never is any."""
        from numba.cuda.memory import Deallocations

        return Deallocations()

    @property
    def handle(self) -> int:
        """The driver's context, as a number; 0 on the CPU."""
        return _kiln.kernel_context(self.id)

    def __repr__(self) -> str:
        return f"<CUDA context {self.handle} of device {self.id}>"

    def __eq__(self, other) -> bool:
        return self.id == other.id if isinstance(other, Context) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)

    def create_module_ptx(self, ptx):
        """Loads PTX: a module, with its functions by name."""
        from numba.cuda.cudadrv.modules import ObjectCode

        return self.create_module_image(ObjectCode(ptx, "ptx"))

    def create_module_image(self, image, setup_callbacks=None, teardown_callbacks=None):
        """Loads a cubin, a fatbin or PTX."""
        from numba.cuda.cudadrv.modules import load_module_image

        with gpus[self.id]:
            module = load_module_image(self, image, setup_callbacks, teardown_callbacks)
        self.modules[module.handle] = module
        return module

    def unload_module(self, module) -> None:
        """Takes a module off the device."""
        self.modules.pop(module.handle, None)
        module.unload()

    def can_access_peer(self, peer_device: int) -> bool:
        """Whether kernels on this device can use the memory of another one."""
        return _kiln.kernel_can_access_peer(self.id, int(peer_device))

    def enable_peer_access(self, peer_context, flags: int = 0) -> None:
        """Has kernels on this device use the memory of another one's context."""
        assert flags == 0, "*flags* is reserved and MUST be zero"
        with gpus[self.id]:
            _kiln.kernel_enable_peer(int(getattr(peer_context, "handle", peer_context)))

    def get_memory_info(self) -> tuple[int, int]:
        """Free and total bytes of memory."""
        from numba.cuda import memory

        manager = memory.current()
        if manager is not None:
            return manager.get_memory_info()
        info = _kiln.kernel_device(self.id)
        return MemoryInfo(info["free_bytes"], info["total_bytes"])

    def synchronize(self) -> None:
        """Waits for everything."""
        synchronize()

    def reset(self) -> None:
        """Waits for everything; memory goes when its arrays go."""
        synchronize()

    def create_stream(self):
        """A new stream."""
        return streams.stream()

    def create_event(self, timing: bool = True):
        """A new event."""
        return streams.event(timing)

    def create_external_stream(self, ptr: int):
        """A stream that another library made."""
        return streams.external_stream(ptr)

    def get_default_stream(self):
        """The stream of launches that name none."""
        return streams.default_stream()

    def get_legacy_default_stream(self):
        """The default stream that waits for all others."""
        return streams.legacy_default_stream()

    def get_per_thread_default_stream(self):
        """The calling thread's own default stream."""
        return streams.per_thread_default_stream()

    def defer_cleanup(self):
        """cuda.defer_cleanup()."""
        return defer_cleanup()

    @property
    def memory_manager(self):
        """Where memory comes from that the program asks the context for."""
        from numba.cuda import memory

        return memory.current() or memory.NumbaCUDAMemoryManager(context=self)

    def memalloc(self, bytesize: int):
        """Memory of the device, as a MemoryPointer."""
        memory = self.memory_manager.memalloc(bytesize)
        self.allocations[int(memory)] = memory
        return memory

    def memhostalloc(self, bytesize: int, mapped: bool = False, portable: bool = False, wc: bool = False):
        """Pinned memory of the host."""
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def memallocmanaged(self, bytesize: int, attach_global: bool = True):
        """Memory that moves to where it is used."""
        return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def mempin(self, owner, pointer, size: int, mapped: bool = False):
        """Pins memory of the program's until the result goes."""
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory):
        """The handle by which other processes open memory that this context gave."""
        return self.memory_manager.get_ipc_handle(memory)

    def open_ipc_handle(self, handle, size: int):
        """Another process's memory, as a MemoryPointer."""
        from numba.cuda.ipc import IpcHandle

        return IpcHandle(None, bytes(handle), size).open(self)

    def get_active_blocks_per_multiprocessor(self, func, blocksize: int, memsize: int, flags=None) -> int:
        """How many blocks of this size of a kernel's machine code run on a multiprocessor at the same time."""
        if hasattr(func, "active_blocks"):  # of code that the program loaded
            return func.active_blocks(blocksize, memsize)
        form = getattr(func, "_form", func)
        return form.max_cooperative_grid_blocks(blocksize, memsize) // self.device.MULTIPROCESSOR_COUNT

    def get_max_potential_block_size(self, func, b2d_func, memsize: int, blocksizelimit: int, flags=None) -> tuple[int, int]:
        """The fewest blocks that fill the device with a kernel's machine code, and their size, of which most threads run at the same time.

        b2d_func: the bytes of dynamic shared memory of a block by its size; memsize where it is None or 0.
        """
        form = getattr(func, "_form", func)
        most = min(blocksizelimit or 1024, form.max_threads_per_block)
        best = (0, 0, 0)
        for size in range(most, 0, -1) if most < 32 else range(most // 32 * 32, 0, -32):
            blocks = self.get_active_blocks_per_multiprocessor(form, size, b2d_func(size) if callable(b2d_func) else memsize)
            best = max(best, (blocks * size, size, blocks))
        return best[2] * self.device.MULTIPROCESSOR_COUNT, best[1]

    def prepare_for_use(self) -> None:
        """Needs nothing."""

    def push(self) -> None:
        """Makes the device the thread's."""
        _pushed.devices = [*getattr(_pushed, "devices", ()), _kiln.kernel_selected_device()]
        _kiln.kernel_select_device(self.id)

    def pop(self) -> bool:
        """Makes the device of before the last push() the thread's; False where nothing was pushed, as the first device is never popped."""
        devices = getattr(_pushed, "devices", [])
        if devices:
            _kiln.kernel_select_device(devices.pop())
            return True
        return False


_pushed = threading.local()
gpus = _DeviceList()


def current_context(devnum=None) -> Context:
    """The context of a device, by default of the one in use."""
    return Context(gpus[devnum]._device if devnum is not None else gpus.current._device)


def get_current_device() -> Device:
    """The device in use."""
    return gpus.current._device


def list_devices() -> _DeviceList:
    """All devices."""
    return gpus


def select_device(device_id: int) -> Context:
    """Makes a device the calling thread's. IndexError when there is none of that number."""
    if not 0 <= device_id < len(gpus):
        raise IndexError(f"there is no device {device_id}; there are {len(gpus)}")
    _kiln.kernel_select_device(device_id)
    return current_context(device_id)


def close() -> None:
    """Waits for everything, and makes the first device the thread's."""
    synchronize()
    _kiln.kernel_select_device(0)


def detect() -> bool:
    """Prints the devices. Whether there is one."""
    where, why, devices = _kiln.kernel_probe()
    print(f"Found {len(devices)} CUDA devices")
    for number, (name, uuid, capability) in enumerate(devices):
        print(f"id {number}    {name!r:>40}    [SUPPORTED]")
        print(f"{'Compute Capability':>40}: {capability // 10}.{capability % 10}")
        print(f"{'UUID':>40}: {uuid}")
    print(f"Summary:\n\t{len(devices)}/{len(devices)} devices are supported")
    print(f"kernels run on the {where}: {why}")
    return bool(devices)


def require_context(function):
    """The function itself: kiln makes a context when it needs one."""
    return function


@contextlib.contextmanager
def defer_cleanup():
    """`with defer_cleanup():` changes nothing: kiln frees memory without waiting."""
    yield


@contextlib.contextmanager
def profiling():
    """`with profiling():` tools such as Nsight record what happens inside."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


def profile_start() -> None:
    """Tools such as Nsight record from now on."""
    _kiln.kernel_profile(True)


def profile_stop() -> None:
    """Tools such as Nsight record no more."""
    _kiln.kernel_profile(False)
