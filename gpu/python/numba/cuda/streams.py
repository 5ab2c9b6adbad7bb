"""Streams and events."""

import contextlib
import threading
import time
import warnings

import _kiln


def stream_number(stream) -> int:
    """The handle of a stream: kiln's, CuPy's, PyTorch's, cuda.core's, or a number; 0, and None, are the default one."""
    if stream is None or isinstance(stream, int):
        return int(stream or 0)
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return int((protocol() if callable(protocol) else protocol)[1])
    for name in ("handle", "ptr", "cuda_stream"):
        if hasattr(stream, name):
            return int(getattr(stream, name) or 0)
    raise TypeError(f"a stream is expected here, and this is a {type(stream).__name__}")


_UNKNOWN = 999  # CUDA's number of an error that it has no number for
_DEFAULTS = {0: "Default", 1: "Legacy default", 2: "Per-thread default"}  # streams that nobody makes
_CALLING = "callbacks of a CUDA stream"
_lock = threading.Condition()
_callbacks: dict[int, list] = {}  # by handles of streams: what is still to be called, in order


def _call(handle: int, device: int) -> None:
    """Calls a stream's callbacks until none is left."""
    if device >= 0:
        _kiln.kernel_select_device(device)
    while True:
        stream, moment, callback, argument = _callbacks[handle][0]
        status = 0
        try:
            moment.synchronize()
        except Exception as error:
            status = getattr(error, "code", 0) or _UNKNOWN
        try:
            callback(stream, status, argument)
        except Exception as error:
            warnings.warn(f"Exception in stream callback: {error}", stacklevel=1)
        with _lock:
            _callbacks[handle].pop(0)
            is_last = not _callbacks[handle]
            if is_last:
                del _callbacks[handle]
            _lock.notify_all()
        if is_last:
            return


def wait_for_callbacks(handle: int | None = None) -> None:
    """Waits until all callbacks that a stream has now, or all streams have, were called; not in a callback."""
    with _lock:
        left = [entry for key, entries in _callbacks.items() if handle in (key, None) for entry in entries]
        if left and threading.current_thread().name != _CALLING:
            _lock.wait_for(lambda: not any(entry in entries for entries in _callbacks.values() for entry in left))


class Stream:
    """An order of launches and copies. On the CPU each is done when its call returns."""

    def __init__(self, handle: int = 0, owned: bool = False) -> None:
        self.handle = handle
        self._owned = owned

    def __del__(self) -> None:
        if self._owned and self.handle:
            _kiln.kernel_release("s", self.handle)

    def synchronize(self) -> None:
        """Waits for what was launched on the stream, and for its callbacks."""
        _kiln.kernel_synchronize(self.handle)
        wait_for_callbacks(self.handle)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """`with stream.auto_synchronize():` waits at the end."""
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None) -> None:
        """Has callback(stream, status, arg) called, on another thread, when what was launched so far is done."""
        moment = Event()
        moment.record(self)
        with _lock:
            waiting = _callbacks.setdefault(self.handle, [])
            waiting.append((self, moment, callback, arg))
            if len(waiting) == 1:
                threading.Thread(target=_call, name=_CALLING, args=(self.handle, _kiln.kernel_selected_device()), daemon=True).start()

    async def async_done(self) -> "Stream":
        """Awaits what was launched on the stream so far; the stream itself."""
        import asyncio

        await asyncio.get_running_loop().run_in_executor(None, self.synchronize)
        return self

    def __bool__(self) -> bool:
        return True

    def __int__(self) -> int:
        return self.handle

    @property
    def external(self) -> bool:
        """Whether another library made it."""
        return not self._owned and self.handle not in _DEFAULTS

    def __repr__(self) -> str:
        if not self._owned and self.handle in _DEFAULTS:
            return f"<{_DEFAULTS[self.handle]} CUDA stream>"
        return f"<{'External ' if self.external else ''}CUDA stream {self.handle}>"


def stream() -> Stream:
    """A new stream."""
    return Stream(_kiln.kernel_make_stream(), owned=True)


def default_stream() -> Stream:
    """The stream of launches that name none."""
    return Stream()


def legacy_default_stream() -> Stream:
    """The default stream that waits for all others, and they for it."""
    return Stream(1)


def per_thread_default_stream() -> Stream:
    """The calling thread's own default stream."""
    return Stream(2)


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
        _kiln.kernel_record_event(self.handle, stream_number(stream))
        self._time = time.perf_counter()

    def wait(self, stream=0) -> None:
        """Makes the stream wait for the event."""
        _kiln.kernel_wait_event(self.handle, stream_number(stream), False)

    def query(self) -> bool:
        """Whether the moment has come."""
        return _kiln.kernel_query_event(self.handle)

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
