"""numba.cuda.testing: what tests of kernels are made of."""

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

