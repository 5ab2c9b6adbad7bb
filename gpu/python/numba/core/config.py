"""numba.config: settings that programs read and write. Those of warnings about kernels have an effect; kiln's own are KILN_* variables."""

import os
import sys

BOUNDSCHECK = None
CACHE_DIR = ""
CAPTURED_ERRORS = "new_style"
CPU_NAME = CPU_FEATURES = None
CUDA_ARRAY_INTERFACE_SYNC = 1
CUDA_DEFAULT_PTX_CC = (7, 5)
CUDA_ENABLE_PYNVJITLINK = 0
CUDA_LOG_LEVEL = ""
CUDA_LOW_OCCUPANCY_WARNINGS = int(os.environ.get("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", 1))
CUDA_PER_THREAD_DEFAULT_STREAM = 0
CUDA_WARN_ON_IMPLICIT_COPY = int(os.environ.get("NUMBA_CUDA_WARN_ON_IMPLICIT_COPY", 1))
DEBUG = 0
DEFAULT_NUM_THREADS = NUMBA_DEFAULT_NUM_THREADS = len(os.sched_getaffinity(0))
DISABLE_CUDA = 0
DISABLE_JIT = int(os.environ.get("NUMBA_DISABLE_JIT") or 0)
DISABLE_PERFORMANCE_WARNINGS = 0
ENABLE_CUDASIM = 0
FULL_TRACEBACKS = 0
IS_32BITS = False
IS_OSX = sys.platform == "darwin"
IS_WIN32 = False
DUMP_ASSEMBLY = DUMP_BYTECODE = DUMP_IR = DUMP_LLVM = DUMP_OPTIMIZED = 0
NUMBA_NUM_THREADS = int(os.environ.get("NUMBA_NUM_THREADS") or DEFAULT_NUM_THREADS)
OPT = 3
PARALLEL_DIAGNOSTICS = 0
THREADING_LAYER = "default"
THREADING_LAYER_PRIORITY = ["kiln"]
WARNINGS = 0


def reload_config() -> None:
    """Accepted for compatibility; reads nothing."""
