"""What kernels assign to: each target is evaluated once."""

import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda


class Targets(unittest.TestCase):
    def test_targets_are_evaluated_once(self) -> None:
        def body(a, b, count, take):
            a[take(count, 0, 1)] += 1
            b[take(count, 0, 1) % 8, take(count, 0, 1) % 4] -= 2
            b[take(count, 0, 1) % 8][1] *= 3
            i = 2
            a[(i := i + 1)] += 4
            a[i] += (i := 1) * 8
            a[i] -= take(count, 0, 1)

        @cuda.jit
        def kernel(a, b, count):
            a[cuda.atomic.add(count, 0, 1)] += 1
            b[cuda.atomic.add(count, 0, 1) % 8, cuda.atomic.add(count, 0, 1) % 4] -= 2
            b[cuda.atomic.add(count, 0, 1) % 8][1] *= 3
            i = 2
            a[(i := i + 1)] += 4
            a[i] += (i := 1) * 8
            a[i] -= cuda.atomic.add(count, 0, 1)

        def take(array, index, more):
            array[index] += more
            return array[index] - more

        expected = [np.zeros(8), np.ones((8, 4)), np.zeros(1, np.int32)]
        body(*expected, take)
        found = [np.zeros(8), np.ones((8, 4)), np.zeros(1, np.int32)]
        kernel[1, 1](*found)
        for one, other in zip(expected, found):
            np.testing.assert_array_equal(one, other)
        a, count = np.zeros(64), np.zeros(1, np.int32)

        @cuda.jit
        def many(a, count):
            a[cuda.atomic.add(count, 0, 1)] += 1

        many[1, 32](a, count)
        self.assertEqual((a.tolist(), count[0]), ([1.0] * 32 + [0.0] * 32, 32))


if __name__ == "__main__":
    main()
