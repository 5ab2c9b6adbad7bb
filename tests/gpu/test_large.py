"""Arrays and grids whose indices need more than 32 bits, and small ones in the same kernels. On a GPU with room for them."""

import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda

ON_HOST = not hasattr(cuda.device_array(1), "__cuda_array_interface__")
LARGE = (1 << 31) + 1000


@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i % 251


@cuda.jit
def count(x, first, out):
    total = 0
    for i in range(x.shape[0] - 1, first - 1, -1):
        total += x[i]
    for i in range(first, x.shape[0]):
        total += x[i] * 1000
    out[0] = total


@cuda.jit
def around(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = x[i, (i - 1) % x.shape[1]] + x[(i + 1) % x.shape[0], -1]


@unittest.skipIf(ON_HOST or cuda.current_context().get_memory_info().free < 12 << 30, "needs a GPU with 12 GiB")
class Large(unittest.TestCase):
    def check_fill(self, size: int) -> None:
        """An array of so many bytes, and its last ones."""
        x = cuda.device_array(size, np.uint8)
        fill[-(-size // 1024), 1024](x)
        least = max(0, size - 5000)
        expected = np.arange(least, size) % 251
        np.testing.assert_array_equal(x[least:].copy_to_host(), expected)
        out = cuda.device_array(1, np.int64)
        count[1, 1](x, least, out)
        self.assertEqual(out.copy_to_host()[0], expected.sum() * 1001)

    def test_sizes(self) -> None:
        """Of one dimension, by turns: each launch has the code for its arrays."""
        for size in 100, LARGE, (1 << 31) - 1, 1 << 31, 70000, LARGE:
            self.check_fill(size)

    def test_two_dimensions(self) -> None:
        for rows, columns in (7, 5), (1 << 16, (1 << 15) + 3), (3, 1 << 20):
            x = cuda.device_array((rows, columns), np.uint8)
            fill[-(-rows * columns // 1024), 1024](x.reshape(rows * columns))
            out = cuda.device_array(rows, np.int64)
            around[-(-rows // 128), 128](x, out)
            here = np.arange(rows, dtype=np.int64)
            side = here * columns + (here - 1) % columns
            below = (here + 1) % rows * columns + columns - 1
            np.testing.assert_array_equal(out.copy_to_host(), (side % 251 + below % 251))

    def test_wide_elements(self) -> None:
        """As many elements as fit 31 bits, of more bytes."""
        x = cuda.device_array((1 << 28) + 5, np.float64)
        fill[-(-x.size // 256), 256](x)
        np.testing.assert_array_equal(x[-7:].copy_to_host(), np.arange(x.size - 7, x.size) % 251)


if __name__ == "__main__":
    main()
