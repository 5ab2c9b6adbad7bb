"""Complex numbers in kernels."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import complex64, complex128, cuda
from numba.core.errors import TypingError

POINTS = np.array([1 + 2j, -0.5 + 0.25j, 3 - 4j, -2 - 1e-3j, 0.5 + 0j, 0 - 1.5j])
OTHERS = np.array([2 - 1j, 0.75 + 3j, -1e-2 + 5j, 1 + 1j, -2 + 0j, 0.125 + 2j])
OFFSET = 2 - 3j
TABLE = np.array([[1 + 1j, 2 - 2j], [3j, 4]], np.complex64)


class Arithmetic(unittest.TestCase):
    def test_operators(self) -> None:
        @cuda.jit
        def kernel(out, x, y):
            i = cuda.grid(1)
            if i < x.size:
                a, b = x[i], y[i]
                out[i, 0] = a + b
                out[i, 1] = a - b * OFFSET
                out[i, 2] = a * b
                out[i, 3] = a / b
                out[i, 4] = -a + (+b)
                out[i, 5] = a**3
                out[i, 6] = a**-2
                out[i, 7] = a**b
                out[i, 8] = a**0.5
                out[i, 9] = a.conjugate() * 2 + 1j
                out[i, 10] = abs(a) + a.real * b.imag
                out[i, 11] = complex(a.real, 2) if a == x[0] else complex(b.real)

        out = np.zeros((6, 12), np.complex128)
        kernel[1, 32](out, POINTS, OTHERS)
        for row, a, b in zip(out, POINTS.tolist(), OTHERS.tolist()):
            expected = [a + b, a - b * OFFSET, a * b, a / b, -a + b, a**3, a**-2, a**b, a**0.5, a.conjugate() * 2 + 1j,
                        abs(a) + a.real * b.imag, complex(a.real, 2) if a == POINTS[0] else b.real]
            np.testing.assert_allclose(row, expected, rtol=1e-12, atol=1e-12)
        narrow = np.zeros((6, 12), np.complex64)
        kernel[1, 32](narrow, POINTS.astype(np.complex64), OTHERS.astype(np.complex64))
        np.testing.assert_allclose(narrow, out, rtol=2e-5, atol=1e-5)

    def test_conditions_and_loops(self) -> None:
        @cuda.jit
        def kernel(out, x, limit):
            i = cuda.grid(1)
            if i >= x.size:
                return
            z = 0j
            n = 0
            for n in range(limit):
                z = z * z + x[i]
                if abs(z) > 2:
                    break
            out[i] = n
            if not z or z != z:
                out[i] = -1

        values = (np.linspace(-2, 1, 9)[:, None] + 1j * np.linspace(-1, 1, 7)).ravel()
        out = np.zeros(values.size, np.int64)
        kernel[1, 64](out, values, 40)

        def plain(c):
            z = 0j
            for n in range(40):
                z = z * z + c
                if abs(z) > 2:
                    break
            return -1 if not z else n

        self.assertEqual(out.tolist(), [plain(c) for c in values.tolist()])

    def test_types_of_values(self) -> None:
        @cuda.jit
        def kernel(out, a, b, c, pair):
            out[0] = a
            out[1] = b * c
            out[2] = pair[1] + pair[0]
            out[3] = complex64(1) + complex128(2.5) + np.complex64(3j)
            flag = c > 1
            value = 1
            if flag:
                value = 2j
            out[4] = value

        out = np.zeros(5, np.complex64)
        kernel[1, 1](out, 1 + 2j, np.complex64(3 - 1j), np.float32(2), (np.complex128(1j), 4))
        self.assertEqual(out.tolist(), [1 + 2j, 6 - 2j, 4 + 1j, 3.5 + 3j, 2j])

        @cuda.jit("void(complex128[:], complex64, complex128)")
        def eager(out, a, b):
            out[0] = a * b

        out = np.zeros(1, np.complex128)
        eager[1, 1](out, np.complex64(2j), 3)
        self.assertEqual(out[0], 6j)

    def test_order(self) -> None:
        """NumPy's functions order by real, then by imaginary part, nans as NumPy; Python's operators do not order."""
        @cuda.jit
        def compare(out, chosen, x, y):
            i, j = cuda.grid(2)
            if i < x.size and j < y.size:
                out[0, i, j] = np.less(x[i], y[j])
                out[1, i, j] = np.less_equal(x[i], y[j])
                out[2, i, j] = np.greater(x[i], y[j])
                out[3, i, j] = np.greater_equal(x[i], y[j])
                chosen[0, i, j] = np.minimum(x[i], y[j])
                chosen[1, i, j] = np.maximum(x[i], y[j])
                chosen[2, i, j] = np.fmin(x[i], y[j])
                chosen[3, i, j] = np.fmax(x[i], y[j])

        parts = (0.0, -1.0, 2.5, np.nan, np.inf, -np.inf)
        x = np.array([complex(a, b) for a in parts for b in parts])
        for left, right in ((x, x), (x.astype(np.complex64), x.astype(np.complex64)), (x, x.real.copy()), (x.astype(np.complex64), np.arange(3))):
            out, chosen = np.zeros((4, left.size, right.size), bool), np.zeros((4, left.size, right.size), np.complex128)
            compare[(5, 5), (8, 8)](out, chosen, left, right)
            a, b = left[:, None], right[None, :]
            np.testing.assert_array_equal(out, [f(a, b) for f in (np.less, np.less_equal, np.greater, np.greater_equal)])
            np.testing.assert_array_equal(chosen, [f(a, b) for f in (np.minimum, np.maximum, np.fmin, np.fmax)])

    def test_errors(self) -> None:
        @cuda.jit
        def order(out, x):
            out[0] = x < 1

        @cuda.jit
        def real(out, x):
            out[0] = x

        @cuda.jit
        def root(out, x):
            out[0] = math.sqrt(x)

        for kernel, text in ((order, "have no order"), (real, "complex128 cannot become float64; take its .real, or abs()"),
                             (root, "works on real numbers, and this is complex128")):
            with self.assertRaises(TypingError) as caught:
                kernel[1, 1](np.zeros(1), 1j)
            self.assertIn(text, str(caught.exception))


class Arrays(unittest.TestCase):
    def test_storage(self) -> None:
        @cuda.jit(device=True)
        def swapped(a, b):
            return b, a

        @cuda.jit
        def kernel(out, x):
            t = cuda.threadIdx.x
            shared = cuda.shared.array(32, complex64)
            local = cuda.local.array(3, dtype=complex128)
            if t < x.size:
                shared[t] = x[t]
            last = shared[t] if t == 0 else x[0]
            cuda.syncthreads()
            local[t % 3] = shared[x.size - 1 - t] if t < x.size else 0
            first, second = swapped(local[t % 3], last)
            for k in range(2):
                second += first * TABLE[k, 1]
                cuda.syncthreads()
            if t < x.size:
                out[t] = second

        x = POINTS.astype(np.complex64)
        out = np.zeros(6, np.complex128)
        kernel[1, 32](out, x)
        expected = [x[5 - i] + x[0] * TABLE[0, 1] + x[0] * TABLE[1, 1] for i in range(6)]
        np.testing.assert_allclose(out, expected, rtol=1e-6)

    def test_parts_of_arrays(self) -> None:
        @cuda.jit
        def kernel(out, x, y):
            i = cuda.grid(1)
            if i < x.shape[0]:
                out[i] = x.real[i, 1] + 10 * x.imag[i, 0] + x[i].imag[1] + y.real[i]
                x.imag[i, 1] = 7

        x = (POINTS.reshape(3, 2) * 2).copy()
        expected = x.real[:, 1] + 10 * x.imag[:, 0] + x.imag[:, 1] + np.arange(3)
        out = np.zeros(3)
        kernel[1, 4](out, x, np.arange(3.0))
        np.testing.assert_allclose(out, expected)
        self.assertEqual(x.imag[:, 1].tolist(), [7, 7, 7])

    def test_device_arrays(self) -> None:
        @cuda.jit
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = x[i] * 1j

        for kind in np.complex64, np.complex128:
            device = cuda.to_device(POINTS.astype(kind))
            kernel[1, 8](device)
            kernel[1, 8](device[::2])
            expected = POINTS.astype(kind) * kind(1j)
            expected[::2] *= kind(1j)
            np.testing.assert_array_equal(device.copy_to_host(), expected)


if __name__ == "__main__":
    main()
