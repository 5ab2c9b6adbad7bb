"""prange, which is range, and the thread settings that programs ask for."""

from numba.core import config

prange = range


def get_num_threads() -> int:
    """The number that set_num_threads() set, at first the number of cores."""
    return config.NUMBA_NUM_THREADS


def set_num_threads(count: int) -> None:
    """Remembers the number. ValueError unless it is positive."""
    if count < 1:
        raise ValueError("The number of threads must be between 1 and the number of cores")
    config.NUMBA_NUM_THREADS = count


def get_thread_id() -> int:
    """Loops over prange run in the calling thread."""
    return 0


def threading_layer() -> str:
    """kiln has one."""
    return "kiln"
