"""@vectorize on large arrays: a kernel."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, int64, vectorize


class Vectorize(unittest.TestCase):
    def test_targets(self) -> None:
        x = np.linspace(0.1, 5, 5000).reshape(50, 100)
        for target in "cpu", "parallel", "cuda":

            @vectorize([float32(float32, float32), "float64(float64, float64)"], target=target)
            def both(a, b):
                return math.sqrt(a) + b

            np.testing.assert_allclose(both(x, 2.0), np.sqrt(x) + 2, rtol=1e-15)
            np.testing.assert_allclose(both(x, x[0]), np.sqrt(x) + x[0], rtol=1e-15)
            single = x.astype(np.float32)
            self.assertEqual(both(single, single).dtype, np.float32)
            out = np.empty_like(x)
            self.assertIs(both(x, x, out=out), out)
            np.testing.assert_allclose(out, np.sqrt(x) + x, rtol=1e-15)

    def test_without_signature(self) -> None:
        @vectorize
        def clip(value, low, high):
            if value < low:
                return low
            return high if value > high else value

        x = np.arange(4000) - 2000
        np.testing.assert_array_equal(clip(x, -5, 7), np.clip(x, -5, 7))
        self.assertEqual(clip(x, -5, 7).dtype, np.int64)
        self.assertEqual(clip(3, 4, 5), 4)

    def test_large_and_small_agree(self) -> None:
        @vectorize([int64(int64, int64)])
        def modulo(a, b):
            return a % b + a // b

        a, b = np.arange(-3000, 3000), np.where(np.arange(6000) % 7 == 0, -3, 5)
        large = modulo(a, b)
        small = np.concatenate([modulo(a[i : i + 500], b[i : i + 500]) for i in range(0, 6000, 500)])
        np.testing.assert_array_equal(large, small)

    def test_device_arrays(self) -> None:
        @cuda.vectorize([float64(float64, float64)], target="cuda")
        def add(a, b):
            return a + b

        x = cuda.to_device(np.arange(10.0))
        result = add(x, x)
        self.assertIsInstance(result, cuda.DeviceNDArray)
        np.testing.assert_array_equal(result.copy_to_host(), np.arange(10.0) * 2)
        np.testing.assert_array_equal(add(x, 1.0).copy_to_host(), np.arange(10.0) + 1)

    def test_what_kernels_cannot(self) -> None:
        @vectorize
        def text(x):
            return len(str(x))

        np.testing.assert_array_equal(text(np.full(2000, 123)), np.full(2000, 3))


if __name__ == "__main__":
    main()
