"""prange, which is range, and the thread settings that programs ask for."""

from _thread import _local

from numba.core import config

prange = range


def get_num_threads() -> int:
    """The number that set_num_threads() set, at first the number of cores."""
    return config.NUMBA_NUM_THREADS


def set_num_threads(count: int) -> None:
    """Remembers the number. ValueError unless it is one of 1 to the number of cores."""
    if not 1 <= count <= config.NUMBA_DEFAULT_NUM_THREADS:
        raise ValueError(f"The number of threads must be between 1 and {config.NUMBA_DEFAULT_NUM_THREADS}")
    config.NUMBA_NUM_THREADS = count


def get_thread_id() -> int:
    """Loops over prange run in the calling thread."""
    return 0


def threading_layer() -> str:
    """kiln has one."""
    return "kiln"


_chunks = _local()


def get_parallel_chunksize() -> int:
    """The number that was set in this thread; at first 0, which leaves it to who runs the loop."""
    return getattr(_chunks, "size", 0)


def set_parallel_chunksize(size: int) -> int:
    """Remembers the number. The one before. ValueError for one below 0."""
    if size < 0:
        raise ValueError("chunksize must be greater than or equal to zero")
    before = get_parallel_chunksize()
    _chunks.size = size
    return before


class parallel_chunksize:
    """`with parallel_chunksize(n)`: the number within the block."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __enter__(self) -> None:
        self._before = set_parallel_chunksize(self._size)

    def __exit__(self, *error) -> None:
        set_parallel_chunksize(self._before)


def pndindex(*shape):
    """numpy.ndindex()."""
    import numpy

    return numpy.ndindex(*shape)
