"""Python's functions of what can be gone through, and what kernels ask of types: as numba has them."""

import collections
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, int32
from numba.core.errors import TypingError

Pair = collections.namedtuple("Pair", "x y")


def launch(kernel, size: int, *arguments) -> list:
    """The first argument of a launch with one thread: an array of so many elements."""
    out = np.zeros(size)
    cuda.jit(kernel)[1, 1](out, *arguments)
    return out.tolist()


class Iterables(unittest.TestCase):
    def test_sums(self) -> None:
        def kernel(out, a, n):
            out[0] = sum(a)
            out[1] = sum(a, 2.5)
            out[2] = sum((n, 2.5, True))
            out[3] = sum(())
            out[4] = sum(a.shape, start=n)
            out[5] = sum(a[1:3])

        self.assertEqual(launch(kernel, 6, np.array([1, 2, 4, 8], np.int32), 10), [15, 17.5, 13.5, 0, 14, 6])

    def test_sums_of_ranges(self) -> None:
        def kernel(out, a, b, c):
            out[0], out[1] = sum(range(a)), sum(range(a, b))
            out[2], out[3] = sum(range(a, b, c), 7), sum(range(b, a, -c))

        for a, b, c in (5, 12, 3), (-4, 9, 2), (7, 2, 1), (0, 0, 4), (3, -6, -2):
            expected = [sum(range(a)), sum(range(a, b)), sum(range(a, b, c), 7), sum(range(b, a, -c))]
            self.assertEqual(launch(kernel, 4, a, b, c), expected)

    def test_extrema_of_arrays(self) -> None:
        def kernel(out, a):
            out[0], out[1] = max(a), min(a)
            out[2], out[3] = max(a[::-2]), min(a[1:2])
            out[4] = max(a.shape)

        for kind in np.int16, np.float32, np.uint64:
            self.assertEqual(launch(kernel, 5, np.array([3, 1, 9, 2], kind)), [9, 1, 2, 1, 4])

        def rows(out, a):
            out[0] = max(a)

        with self.assertRaisesRegex(TypingError, "max does not go through array"):
            launch(rows, 1, np.zeros((2, 2)))

    def test_unpacked_arrays(self) -> None:
        """Into as many names as there are elements, or rows."""

        def kernel(out, image, pairs, x):
            r, g, b = image[1, 0]
            out[0] = r * 0.25 + g + b
            for first, second in pairs:
                out[1] += first * second
            top, (left, right) = pairs
            out[2] = top[0] + right - left
            x[0], x[1], x[2] = x[::-1]
            out[3:6] = x
            local = cuda.local.array(2, float32)
            local[0], local[1] = x[1:]
            out[6], [out[7]] = local[1], x[:1]

        image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        pairs, x = np.array([[1, 2], [3, 5]]), np.array([1.5, 2, 4])
        self.assertEqual(launch(kernel, 8, image, pairs, x), [16.5, 17, 3, 4, 2, 1.5, 1.5, 4])

        @cuda.jit(debug=True, opt=False)
        def wrong(x):
            first, second = x
            x[0] = second

        with self.assertRaisesRegex(ValueError, "the array has not as many items as there are names, 2"):
            wrong[1, 1](np.zeros(3))

    def test_members_of_ranges(self) -> None:
        def kernel(out, a, n):
            for i in range(a.size):
                x = a[i]
                out[i] = (x in range(5)) + 2 * (x in range(1, n, 3)) + 4 * (x in range(n, -3, -2)) + 8 * (x not in range(2, 3))

        a = np.arange(-6, 12)
        expected = [(x in range(5)) + 2 * (x in range(1, 9, 3)) + 4 * (x in range(9, -3, -2)) + 8 * (x not in range(2, 3)) for x in a]
        self.assertEqual(launch(kernel, a.size, a, 9), expected)
        self.assertEqual(launch(kernel, 2, np.array([1.5, 4.0]), 9), [8, 11])


class Types(unittest.TestCase):
    def test_isinstance(self) -> None:
        @cuda.jit(device=True)
        def kinds(x):
            return (isinstance(x, int) + 2 * isinstance(x, float) + 4 * isinstance(x, complex) + 8 * isinstance(x, (tuple, str))
                    + 16 * isinstance(x, np.float32) + 32 * isinstance(x, bool) + 64 * isinstance(x, (int, float)))

        def kernel(out, i, f, z, pair):
            out[0], out[1], out[2], out[3] = kinds(i), kinds(f), kinds(z), kinds(pair)
            out[4], out[5], out[6], out[7] = kinds("text"), kinds(float32(1)), kinds(i > 3), kinds(out)
            out[8] = isinstance(pair, Pair)
            out[9] = isinstance(i, int32)

        out = launch(kernel, 10, np.int32(1), 1.0, 1j, Pair(1, 2))
        self.assertEqual(out, [65, 66, 4, 8, 8, 82, 32, 0, 1, 1])

    def test_branches_by_type(self) -> None:
        """What is in the branch for another type is not built."""

        @cuda.jit(device=True)
        def first(x):
            if isinstance(x, tuple):
                return x[0]
            else:
                return x

        def kernel(out):
            out[0], out[1] = first((4, 5)), first(6)

        self.assertEqual(launch(kernel, 2), [4, 6])

    def test_what_types_tell(self) -> None:
        def kernel(out, a, z):
            out[0], out[1] = np.iinfo(np.int16).max, np.iinfo(np.uint8).min
            out[2], out[3] = np.finfo(np.float32).eps, np.finfo(np.float64).max
            out[4], out[5] = a.dtype.type(2.75), z.dtype.type(1).real
            out[6], out[7] = np.shape(a)[1], np.size(a)
            out[8], out[9] = np.real(z[0]), np.imag(z)[0]

        a, z = np.zeros((2, 3), np.int16), np.array([2 - 3j], np.complex64)
        self.assertEqual(launch(kernel, 10, a, z), [32767, 0, np.finfo(np.float32).eps, np.finfo(float).max, 2, 1, 3, 6, 2, -3])


if __name__ == "__main__":
    main()
