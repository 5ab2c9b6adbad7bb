"""A million launches: neither the process nor the device's memory grows."""

import os
import unittest

from support import main  # before NumPy: skips the tests where there is none

import _kiln
import numpy as np
from numba import cuda

LAUNCHES = 1_000_000
WARM = LAUNCHES // 2  # by then the compiler is loaded and has compiled the loop
ON_GPU = _kiln.kernel_probe()[0] == "gpu"
MOST = 16 << 20


def resident() -> int:
    """Bytes of the process that are in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@cuda.jit
def add_one(x, by, out):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += by
        out[i] = x[i]


class Growth(unittest.TestCase):
    def launches(self, launch) -> None:
        """Launches a million times, and measures after the first ones and at the end."""
        for _ in range(WARM):
            launch()
        cuda.synchronize()
        before, free = resident(), cuda.current_context().get_memory_info().free
        for number in range(LAUNCHES - WARM):
            launch()
            if number % 1024 == 0:
                cuda.synchronize()
        cuda.synchronize()
        self.assertLess(resident() - before, MOST)
        if ON_GPU:
            self.assertLess(free - cuda.current_context().get_memory_info().free, MOST)

    def test_device_arrays(self) -> None:
        x, out = cuda.to_device(np.zeros(32, np.int64)), cuda.device_array(32, np.int64)
        launcher = add_one[1, 32]
        self.launches(lambda: launcher(x, 1, out))
        self.assertEqual(set(out.copy_to_host().tolist()), {LAUNCHES})

    def test_new_configurations_streams_and_views(self) -> None:
        """A launcher, a view and a number of its own for each launch; a tenth as many, since each is Python's."""
        x, out = cuda.to_device(np.zeros(64)), cuda.device_array(64)
        for round_ in range(2):
            for number in range(LAUNCHES // 20):
                add_one[1, 32 + number % 32, cuda.stream() if number % 64 == 0 else 0](x[: 1 + number % 63], number * 0.5, out)
            cuda.synchronize()
            if round_ == 0:
                before = resident()
        self.assertLess(resident() - before, MOST)


if __name__ == "__main__":
    main()
