"""For the kernel tests: every kernel that a test makes is also compiled for GPUs, where NVRTC is found.

A test file ends with `main()`. TEST_ARCHITECTURES names the architectures (75,80,90,100 when it is not set; empty for
none).
"""

import os
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
try:
    import numpy
except ImportError:
    print("NumPy is not installed")
    sys.exit(SKIPPED)

from numba import cuda
from numba.cuda import dispatcher

ARCHITECTURES = tuple(
    int(number) for number in os.environ.get("TEST_ARCHITECTURES", "75,80,90,100").split(",") if number
)
made = []
_new = dispatcher.CUDADispatcher.__new__


def _remember(cls, *arguments):
    kernel = _new(cls, *arguments)
    made.append(kernel)
    return kernel


dispatcher.CUDADispatcher.__new__ = _remember


def check_images() -> str:
    """Compiles all kernels made so far for all architectures; what was done."""
    if not ARCHITECTURES:
        return "no architectures"
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            count = sum(pool.map(lambda kernel: kernel._check_images(ARCHITECTURES), made))
    except cuda.CudaSupportError as error:
        return f"skipped: {str(error).splitlines()[0]}"
    return f"{count} cubins for {len(ARCHITECTURES)} architectures"


def main() -> None:
    """Runs the tests of the calling module, then compiles its kernels for GPUs. Ends the process."""
    verbosity = 2 if "-v" in sys.argv else 1
    program = unittest.main(module="__main__", exit=False, argv=[sys.argv[0]], verbosity=verbosity)
    if not program.result.wasSuccessful():
        sys.exit(1)
    print(f"cubins: {check_images()}")
    sys.exit(0)
