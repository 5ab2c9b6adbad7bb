"""Device functions: what they take and return, recursion, defaults; functions that jit marked."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, njit
from numba.core.errors import TypingError


def run(kernel, *arrays, threads=32):
    """Launches a kernel with one block on copies of the arrays; returns the first."""
    copies = [array.copy() if isinstance(array, np.ndarray) else array for array in arrays]
    kernel[1, threads](*copies)
    return copies[0]


class Functions(unittest.TestCase):
    def test_keywords_and_defaults(self) -> None:
        @njit
        def power(x, exponent=3):
            return x**exponent

        @cuda.jit
        def kernel(out):
            out[0] = power(2)
            out[1] = power(2, exponent=5)
            out[2] = power(exponent=2, x=7.5)

        self.assertEqual(run(kernel, np.zeros(3), threads=1).tolist(), [8, 32, 56.25])

        @cuda.jit
        def wrong(out):
            out[0] = power(2, base=1)

        with self.assertRaisesRegex(TypingError, "a keyword argument here is no parameter"):
            wrong[1, 1](np.zeros(1))

    def test_device_functions(self) -> None:
        @cuda.jit(device=True)
        def square(x):
            return x * x

        @cuda.jit
        def polar(x, y):
            return math.hypot(x, y), math.atan2(y, x)

        @njit
        def clamp(x, low=0, high=1):
            if x < low:
                return low
            if x > high:
                return high
            return x

        @cuda.jit(device=True)
        def store(array, i, value):
            array[i] = value

        @cuda.jit(device=True)
        def factorial(n):
            if n <= 1:
                return 1
            return n * factorial(n - 1)

        @cuda.jit
        def kernel(out, x):
            r, phi = polar(x, 2.0)
            store(out, 0, square(r) + square(3))
            out[1] = phi
            out[2] = clamp(x, 0.0, 1.5)
            out[3] = factorial(6)

        expected = [3.0**2 + 4 + 9, math.atan2(2, 3), 1.5, 720]
        np.testing.assert_allclose(run(kernel, np.zeros(4), 3.0, threads=1), expected, rtol=1e-15)

    def test_lambda_and_exec(self) -> None:
        double = cuda.jit(device=True)(lambda x: 2 * x)
        @cuda.jit
        def caller(out):
            out[0] = double(4)

        self.assertEqual(run(caller, np.zeros(1), threads=1)[0], 8)


if __name__ == "__main__":
    main()
