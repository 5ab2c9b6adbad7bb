"""numba.config: settings that programs read and write. They have no effect; kiln's own are KILN_* variables."""

import os

CACHE_DIR = ""
DEBUG = 0
DEFAULT_NUM_THREADS = NUMBA_DEFAULT_NUM_THREADS = len(os.sched_getaffinity(0))
DISABLE_CUDA = 0
DISABLE_JIT = 0
DISABLE_PERFORMANCE_WARNINGS = 0
ENABLE_CUDASIM = 0
FULL_TRACEBACKS = 0
NUMBA_NUM_THREADS = DEFAULT_NUM_THREADS
THREADING_LAYER = "default"
WARNINGS = 0


def reload_config() -> None:
    """Accepted for compatibility; reads nothing."""
