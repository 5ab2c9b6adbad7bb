"""Kernels as plain Python, one thread after the other, for debuggers: under NUMBA_ENABLE_CUDASIM=1 what kiln cannot compile runs here.

A kernel whose threads wait for each other has a Python thread for each; only one of them runs at a time, and gives way where it waits.
"""

import itertools
import math
import sys
import threading
import types

import numpy

from numba.cuda import stubs
from numba.cuda.args import In, InOut, Out
from numba.cuda.arrays import DeviceNDArray

_WARP = 32
_WAITING = ("syncthreads", "syncwarp", "_sync")  # parts of the names of what threads meet at
_one_at_a_time = threading.RLock()


def run(function: types.FunctionType, grid: tuple, block: tuple, dynamic_bytes: int, arguments: tuple, options: dict) -> None:
    """Runs a kernel. What a thread raises is raised, with the thread's place before its message."""
    copied: list = []
    given = [_on_host(argument, copied) for argument in arguments]
    with _one_at_a_time, numpy.errstate(all="ignore"):
        before, meets = stubs.running, _meets(function, set())
        try:
            for index in itertools.product(*(range(size) for size in reversed(grid))):
                Block(grid, block, tuple(reversed(index)), dynamic_bytes).run(function, given, options, meets)
        finally:
            stubs.running = before
    for array, host in copied:
        array.copy_to_device(host)


def _on_host(argument, copied: list):
    """What the kernel gets for an argument; device arrays are copied, and copied back in the end."""
    if isinstance(argument, tuple):
        parts = [_on_host(part, copied) for part in argument]
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    if isinstance(argument, (In, Out, InOut)):
        return argument.value
    if isinstance(argument, DeviceNDArray):
        copied.append((argument, argument.copy_to_host()))
        return copied[-1][1]
    return argument


def _meets(function, seen: set) -> bool:
    """Whether the function, or one that it names, waits for other threads."""
    function = getattr(function, "py_func", function)
    if not isinstance(function, types.FunctionType) or function in seen:
        return False
    seen.add(function)
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
    names = function.__code__.co_names
    named = [function.__globals__.get(name) for name in names]
    return any(part in name for name in names for part in _WAITING) or any(_meets(other, seen) for other in [*named, *cells])


class _Ended(BaseException):
    """Ends a thread when another one has failed."""


class Thread:
    """One thread of a block, and where it waits."""

    def __init__(self, index: tuple, number: int) -> None:
        self.index, self.lane, self.warp = index, number % _WARP, number // _WARP
        self.turn = threading.Semaphore(0)
        self.waits_for = None  # "block" or "warp", with what it brings
        self.brought = self.got = self.error = None
        self.is_done = False


class Block:
    """One block while it runs."""

    def __init__(self, grid: tuple, size: tuple, index: tuple, dynamic_bytes: int) -> None:
        self.grid, self.size, self.index = grid, size, index
        self.dynamic = numpy.zeros(dynamic_bytes, numpy.uint8)
        self.shared: dict = {}
        self.threads = [Thread((x, y, z), x + size[0] * (y + size[1] * z))
                        for z, y, x in itertools.product(*(range(count) for count in reversed(size)))]
        self.current = self.threads[0]
        self.control = threading.Semaphore(0)
        self.is_ending = False

    def run(self, function, arguments: list, options: dict, meets: bool) -> None:
        """All threads, in turns."""
        stubs.running = self
        for thread in self.threads:
            if meets:
                threading.Thread(target=self._body, args=(thread, function, arguments, options), daemon=True).start()
            else:
                self.current = thread
                self._call(thread, function, arguments, options)
        while meets and not all(thread.is_done for thread in self.threads):
            ready = [thread for thread in self.threads if not thread.is_done and thread.waits_for is None]
            for thread in ready or self._gathered():
                self._resume(thread)
        self._raise()

    def _call(self, thread: Thread, function, arguments: list, options: dict) -> None:
        try:
            function(*arguments, **options)
        except _Ended:
            pass
        except BaseException as error:
            thread.error = error
            if not isinstance(error, Exception):  # Ctrl-C, and a debugger's end
                raise
            self._raise()
        finally:
            thread.is_done = True

    def _body(self, thread: Thread, function, arguments: list, options: dict) -> None:
        thread.turn.acquire()
        try:
            if not self.is_ending:
                self._call(thread, function, arguments, options)
        except BaseException:
            pass  # kept in thread.error
        thread.is_done = True
        self.control.release()

    def _resume(self, thread: Thread) -> None:
        """Runs a thread until it waits or ends, unless it has ended. When it failed all others end."""
        if thread.is_done:
            return
        self.current = thread
        thread.turn.release()
        self.control.acquire()
        if thread.error is not None and not self.is_ending:
            self._end(self.threads)

    def _end(self, threads: list) -> None:
        """Ends those that wait."""
        self.is_ending = True
        for thread in threads:
            self._resume(thread)

    def _raise(self) -> None:
        for thread in self.threads:
            if thread.error is not None:
                place = f"tid={list(thread.index)} ctaid={list(self.index)}"
                error = thread.error
                if not isinstance(error, Exception):
                    raise error
                try:
                    named = type(error)(f"{place}: {error}")
                except Exception:
                    raise error
                raise named.with_traceback(error.__traceback__)

    def _gathered(self) -> list:
        """The threads that have all met, with what the others brought. RuntimeError when none go on for ever."""
        alive = [thread for thread in self.threads if not thread.is_done]
        if all(thread.waits_for == "block" for thread in alive):
            group = alive
        else:
            warps: dict = {}
            for thread in alive:
                warps.setdefault(thread.warp, []).append(thread)
            whole = [warp for warp in warps.values() if all(thread.waits_for == "warp" for thread in warp)]
            if not whole:
                self._end(alive)
                raise RuntimeError("some threads wait at a barrier, and others at another one")
            group = whole[0]
        brought = {(thread.lane if thread.waits_for == "warp" else thread.index): thread.brought for thread in group}
        for thread in group:
            thread.got, thread.waits_for = brought, None
        return group

    def meet(self, whom: str, brings=None) -> dict:
        """Waits for the block, or the warp; what each thread brought, by its index or its lane."""
        thread = self.current
        thread.waits_for, thread.brought = whom, brings
        self.control.release()
        thread.turn.acquire()
        if self.is_ending:
            raise _Ended
        return thread.got

    def call(self, name: str, arguments: tuple, options: dict):
        """What a function of kernels does in the thread that runs."""
        function = _FUNCTIONS.get(name.removeprefix("cuda."))
        if function is None:
            raise NotImplementedError(f"{name} in a kernel that kiln does not compile")
        return function(self, *arguments, **options)

    def part(self, name: str, axis: str) -> int:
        """threadIdx.x and its kin."""
        values = {"threadIdx": self.current.index, "blockIdx": self.index, "blockDim": self.size, "gridDim": self.grid}
        return values[name]["xyz".index(axis)]


def _positions(block: Block, ndim: int, is_size: bool):
    if ndim not in (1, 2, 3):
        raise ValueError("grid() and gridsize() take 1, 2 or 3")
    places = [block.grid[axis] * block.size[axis] if is_size else block.index[axis] * block.size[axis] + block.current.index[axis]
              for axis in range(ndim)]
    return places[0] if ndim == 1 else tuple(places)


def _dtype(kind):
    return numpy.dtype(getattr(kind, "dtype", kind))


def _shared_array(block: Block, shape, dtype, alignment=None):
    if shape == 0:
        return block.dynamic[: block.dynamic.size // _dtype(dtype).itemsize * _dtype(dtype).itemsize].view(_dtype(dtype))
    frame = sys._getframe(3)  # the kernel: call() and the stub are between
    place = (frame.f_code, frame.f_lasti)
    if place not in block.shared:
        block.shared[place] = numpy.zeros(shape, _dtype(dtype))
    return block.shared[place]


def _atomic(compute):
    def run_atomic(block: Block, array, index, *values):
        old = array[index]
        array[index] = compute(old, *values)
        return old

    return run_atomic


def _compare_swap(block: Block, array, index, expected, value):
    old = array[index]
    array[index] = value if old == expected else old
    return old


def _shuffle(source):
    def run_shuffle(block: Block, mask, value, other):
        lane = source(block.current.lane, other)
        return block.meet("warp", value).get(lane, value)

    return run_shuffle


def _ballot(block: Block, mask, predicate) -> int:
    return sum(1 << lane for lane, value in block.meet("warp", bool(predicate)).items() if value and mask >> lane & 1)


def _match_any(block: Block, mask, value) -> int:
    return sum(1 << lane for lane, other in block.meet("warp", value).items() if other == value)


def _match_all(block: Block, mask, value) -> tuple:
    same = len(set(block.meet("warp", value).values())) == 1
    return (mask if same else 0, same)


def _bits(value) -> int:
    """The width of an integer as kernels have it."""
    return value.dtype.itemsize * 8 if hasattr(value, "dtype") else 32 if -(2**31) <= value < 2**32 else 64


def _unsigned(value) -> int:
    return int(value) & ((1 << _bits(value)) - 1)


_FUNCTIONS = {
    "grid": lambda block, ndim: _positions(block, ndim, False),
    "gridsize": lambda block, ndim: _positions(block, ndim, True),
    "laneid": lambda block: block.current.lane,
    "syncthreads": lambda block: block.meet("block") and None,
    "syncthreads_count": lambda block, predicate: sum(map(bool, block.meet("block", predicate).values())),
    "syncthreads_and": lambda block, predicate: int(all(block.meet("block", predicate).values())),
    "syncthreads_or": lambda block, predicate: int(any(block.meet("block", predicate).values())),
    "syncwarp": lambda block, mask=0xFFFFFFFF: block.meet("warp") and None,
    **dict.fromkeys(("threadfence", "threadfence_block", "threadfence_system"), lambda block: None),
    "nanosleep": lambda block, nanoseconds: None,
    "shared.array": _shared_array,
    "local.array": lambda block, shape, dtype, alignment=None: numpy.zeros(shape, _dtype(dtype)),
    "const.array_like": lambda block, array: array,
    "atomic.add": _atomic(lambda old, value: old + value), "atomic.sub": _atomic(lambda old, value: old - value),
    "atomic.and_": _atomic(lambda old, value: old & value), "atomic.or_": _atomic(lambda old, value: old | value),
    "atomic.xor": _atomic(lambda old, value: old ^ value), "atomic.exch": _atomic(lambda old, value: value),
    "atomic.inc": _atomic(lambda old, value: 0 if old >= value else old + 1),
    "atomic.dec": _atomic(lambda old, value: value if old == 0 or old > value else old - 1),
    "atomic.max": _atomic(max), "atomic.min": _atomic(min),
    "atomic.nanmax": _atomic(numpy.fmax), "atomic.nanmin": _atomic(numpy.fmin),
    "atomic.cas": _compare_swap,
    "atomic.compare_and_swap": lambda block, array, expected, value: _compare_swap(block, array, 0, expected, value),
    "shfl_sync": _shuffle(lambda lane, other: other), "shfl_up_sync": _shuffle(lambda lane, other: lane - other),
    "shfl_down_sync": _shuffle(lambda lane, other: lane + other), "shfl_xor_sync": _shuffle(lambda lane, other: lane ^ other),
    "ballot_sync": _ballot, "match_any_sync": _match_any, "match_all_sync": _match_all,
    "all_sync": lambda block, mask, predicate: all(block.meet("warp", predicate).values()),
    "any_sync": lambda block, mask, predicate: any(block.meet("warp", predicate).values()),
    "eq_sync": lambda block, mask, predicate: len(set(block.meet("warp", predicate).values())) == 1,
    "popc": lambda block, x: _unsigned(x).bit_count(), "clz": lambda block, x: _bits(x) - _unsigned(x).bit_length(),
    "ffs": lambda block, x: (_unsigned(x) & -_unsigned(x)).bit_length(),
    "brev": lambda block, x: int(f"{_unsigned(x):0{_bits(x)}b}"[::-1], 2),
    "fma": lambda block, x, y, z: x * y + z, "cbrt": lambda block, x: math.cbrt(x), "selp": lambda block, c, x, y: x if c else y,
}
