"""Devices, contexts, streams and events."""

import collections
import contextlib
import sys
import time

import _kiln

_kiln.kernel_package_folders(list(sys.path))


def _info() -> dict:
    return _kiln.kernel_device(0)


def synchronize() -> None:
    """Waits for everything that was launched."""
    _kiln.kernel_synchronize(0)


def is_available() -> bool:
    """Whether kernels run: always, since the CPU runs them where no GPU does; with KILN_OFFLOAD=gpu, whether there is one."""
    if _kiln.kernel_offload() != "gpu":
        return True
    try:
        _kiln.kernel_backend()
    except Exception:
        return False
    return True


def is_supported_version() -> bool:
    """Whether the CUDA version in use is supported."""
    return True


def cuda_error():
    """Why the GPU cannot be used, or None."""
    return None


class Stream:
    """An order of launches and copies. On the CPU each is done when its call returns."""

    def __init__(self, handle: int = 0, owned: bool = False) -> None:
        self.handle = handle
        self._owned = owned

    def __del__(self) -> None:
        if self._owned and self.handle:
            _kiln.kernel_release("s", self.handle)

    def synchronize(self) -> None:
        """Waits for what was launched on the stream."""
        _kiln.kernel_synchronize(self.handle)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """`with stream.auto_synchronize():` waits at the end."""
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None) -> None:
        """Calls callback(stream, status, arg) when what was launched is done: kiln waits for it."""
        self.synchronize()
        callback(self, 0, arg)

    def __bool__(self) -> bool:
        return True

    def __int__(self) -> int:
        return self.handle

    def __repr__(self) -> str:
        return f"<CUDA stream {self.handle}>"


def stream() -> Stream:
    """A new stream."""
    return Stream(_kiln.kernel_make_stream(), owned=True)


def default_stream() -> Stream:
    """The stream of launches that name none."""
    return Stream()


legacy_default_stream = per_thread_default_stream = default_stream


def external_stream(ptr: int) -> Stream:
    """A stream that another library made."""
    return Stream(ptr)


class Event:
    """A moment on a stream. On the CPU it is the moment when it is recorded."""

    def __init__(self, timing: bool = True) -> None:
        self.handle = _kiln.kernel_make_event()
        self._time = None

    def __del__(self) -> None:
        if getattr(self, "handle", 0):
            _kiln.kernel_release("e", self.handle)

    def record(self, stream=0) -> None:
        """The moment is when what was launched on the stream so far is done."""
        _kiln.kernel_record_event(self.handle, int(getattr(stream, "handle", stream) or 0))
        self._time = time.perf_counter()

    def wait(self, stream=0) -> None:
        """Makes the stream wait for the event."""
        _kiln.kernel_wait_event(self.handle, int(getattr(stream, "handle", stream) or 0), False)

    def query(self) -> bool:
        """Whether the moment has come; waits for it."""
        self.synchronize()
        return True

    def synchronize(self) -> None:
        """Waits for the moment."""
        _kiln.kernel_wait_event(self.handle, 0, True)

    def elapsed_time(self, other: "Event") -> float:
        """Milliseconds from this moment to the other."""
        return event_elapsed_time(self, other)


def event(timing: bool = True) -> Event:
    """A new event."""
    return Event(timing)


def event_elapsed_time(start: Event, end: Event) -> float:
    """Milliseconds between two recorded events. ValueError when one was not recorded."""
    if start._time is None or end._time is None:
        raise ValueError("the event was not recorded")
    if start.handle and end.handle:
        return _kiln.kernel_elapsed(start.handle, end.handle)
    return (end._time - start._time) * 1000.0


class Device:
    """A device: a GPU, or the CPU's cores."""

    id = 0
    uuid = "GPU-00000000-0000-0000-0000-000000000000"
    WARP_SIZE = 32
    MAX_THREADS_PER_BLOCK = 1024
    MAX_BLOCK_DIM_X = 1024
    MAX_BLOCK_DIM_Y = 1024
    MAX_BLOCK_DIM_Z = 64
    MAX_GRID_DIM_X = 2147483647
    MAX_GRID_DIM_Y = 65535
    MAX_GRID_DIM_Z = 65535
    TOTAL_CONSTANT_MEMORY = 65536
    ASYNC_ENGINE_COUNT = 1
    supports_float16 = False
    name = property(lambda self: _info()["name"].encode())
    compute_capability = property(lambda self: divmod(_info()["compute_capability"], 10))
    MULTIPROCESSOR_COUNT = property(lambda self: _info()["multiprocessors"])
    MAX_SHARED_MEMORY_PER_BLOCK = property(lambda self: _info()["shared_bytes"])
    CLOCK_RATE = property(lambda self: _info()["clock_rate"])

    def reset(self) -> None:
        """Waits for everything; memory goes when its arrays go."""
        synchronize()

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} {self.name!r}>"


class _DeviceList:
    """cuda.gpus: a list that is also a set of contexts."""

    def __init__(self) -> None:
        self.lst = [_DEVICE]

    current = property(lambda self: _DEVICE)

    def __getitem__(self, index):
        return self.lst[index]

    def __iter__(self):
        return iter(self.lst)

    def __len__(self) -> int:
        return len(self.lst)

    def __repr__(self) -> str:
        return "<Managed Device 0>"


MemoryInfo = collections.namedtuple("MemoryInfo", "free total")


class Context:
    """The state of a device."""

    device = property(lambda self: _DEVICE)
    id = 0

    def get_memory_info(self) -> tuple[int, int]:
        """Free and total bytes of memory."""
        info = _info()
        return MemoryInfo(info["free_bytes"], info["total_bytes"])

    def synchronize(self) -> None:
        """Waits for everything."""
        synchronize()

    def reset(self) -> None:
        """Waits for everything; memory goes when its arrays go."""
        synchronize()

    push = pop = reset


_DEVICE = Device()
_CONTEXT = Context()
gpus = _DeviceList()


def current_context(devnum=None) -> Context:
    """The context of the device in use."""
    return _CONTEXT


def get_current_device() -> Device:
    """The device in use."""
    return _DEVICE


def list_devices() -> _DeviceList:
    """All devices."""
    return gpus


def select_device(device_id: int) -> Context:
    """Makes a device the one in use. IndexError when there is none of that number."""
    gpus[device_id]
    return _CONTEXT


def close() -> None:
    """Waits for everything."""
    synchronize()


def detect() -> bool:
    """Prints the devices. Whether there is one."""
    where, why = _kiln.kernel_backend()
    print(f"Found {len(gpus)} CUDA devices")
    print(f"id 0    {_DEVICE.name!r:>40}    [SUPPORTED]")
    print(f"kernels run on the {where}: {why}")
    return True


def require_context(function):
    """The function itself: kiln makes a context when it needs one."""
    return function


@contextlib.contextmanager
def defer_cleanup():
    """`with defer_cleanup():` changes nothing: kiln frees memory without waiting."""
    yield


@contextlib.contextmanager
def profiling():
    """`with profiling():` changes nothing yet."""
    yield


def profile_start() -> None:
    """Changes nothing yet."""


def profile_stop() -> None:
    """Changes nothing yet."""
