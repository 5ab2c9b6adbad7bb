"""numba.cuda.testing: what tests of kernels are made of."""

import os
import platform
import shutil
import unittest

from numba.core import config


class CUDATestCase(unittest.TestCase):
    """A test whose small launches and host arrays are no reason for warnings."""

    def setUp(self) -> None:
        self._settings = config.CUDA_LOW_OCCUPANCY_WARNINGS, config.CUDA_WARN_ON_IMPLICIT_COPY
        config.CUDA_LOW_OCCUPANCY_WARNINGS = config.CUDA_WARN_ON_IMPLICIT_COPY = 0

    def tearDown(self) -> None:
        config.CUDA_LOW_OCCUPANCY_WARNINGS, config.CUDA_WARN_ON_IMPLICIT_COPY = self._settings


class ForeignArray:
    """An array that is known by __cuda_array_interface__ only."""

    def __init__(self, arr) -> None:
        self._arr = arr
        self.__cuda_array_interface__ = arr.__cuda_array_interface__


def skip_on_cudasim(reason: str):
    """Skips a test under NUMBA_ENABLE_CUDASIM=1."""
    return unittest.skipIf(config.ENABLE_CUDASIM, reason)


def skip_unless_cudasim(reason: str):
    """Skips a test elsewhere than there."""
    return unittest.skipUnless(config.ENABLE_CUDASIM, reason)



def _condition(holds: bool, reason: str):
    return unittest.skipUnless(holds, reason)


def skip_unless_conda_cudatoolkit(reason: str):
    """Runs a test: kiln finds a CUDA toolkit wherever it is."""
    return _condition(True, reason)


def skip_if_external_memmgr(reason: str):
    """Skips a test under a memory manager of the program's."""
    from numba.cuda import memory

    return unittest.skipIf(memory.current() is not None, reason)


def skip_under_cuda_memcheck(reason: str):
    """Skips a test under CUDA's checker, which says so by CUDA_MEMCHECK."""
    return unittest.skipIf(os.environ.get("CUDA_MEMCHECK") is not None, reason)


def skip_without_nvdisasm(reason: str):
    """Skips a test that needs nvdisasm."""
    return _condition(shutil.which("nvdisasm") is not None, reason)


def skip_with_nvdisasm(reason: str):
    """Skips a test for machines without nvdisasm."""
    return unittest.skipIf(shutil.which("nvdisasm") is not None, reason)


def skip_on_arm(reason: str):
    """Skips a test on Arm."""
    return unittest.skipIf(platform.processor().startswith(("arm", "aarch")), reason)


def skip_on_wsl2(reason: str):
    """Skips a test in Windows' subsystem for Linux."""
    return unittest.skipIf("microsoft-standard-wsl2" in platform.release().lower(), reason)


def skip_on_standalone_numba_cuda(function):
    """Runs a test: numba's compiler for CPUs is there."""
    return function


def skip_if_nvjitlink_missing(reason: str):
    """Runs a test: what links says so itself where it cannot."""
    return _condition(True, reason)


def skip_if_cudadevrt_missing(function):
    """Runs a test: kiln needs no cudadevrt."""
    return function


def skip_if_cuda_includes_missing(function):
    """Runs a test: kiln needs no headers."""
    return function


def cc_X_or_above(major: int, minor: int) -> bool:
    """Whether the device in use has this compute capability, or a higher one."""
    from numba import cuda

    return config.ENABLE_CUDASIM or tuple(cuda.get_current_device().compute_capability) >= (major, minor)


def _unless_capable(major: int, minor: int):
    def decorate(function):
        return _condition(cc_X_or_above(major, minor), f"requires cc >= {major}.{minor}")(function)

    decorate.__doc__ = f"Skips a test on devices of less than {major}.{minor}."
    return decorate


skip_unless_cc_50, skip_unless_cc_53, skip_unless_cc_60 = _unless_capable(5, 0), _unless_capable(5, 3), _unless_capable(6, 0)
skip_unless_cc_75, skip_unless_cc_90 = _unless_capable(7, 5), _unless_capable(9, 0)


def xfail_unless_cudasim(function):
    """Marks a test that fails, but under NUMBA_ENABLE_CUDASIM=1."""
    return function if config.ENABLE_CUDASIM else unittest.expectedFailure(function)
