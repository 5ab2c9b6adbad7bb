"""Attributes and methods of arrays in kernels, assignments to slices, and device arrays that kernels name."""

import collections
import unittest
import warnings

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, int16
from numba.core.errors import TypingError, UnsupportedError

KINDS = "i1 u8 f4 f8".split()


def launch(kernel, size: int, *arguments, kind=np.float64) -> list:
    """The first argument of a launch with one thread: an array of so many elements."""
    out = np.zeros(size, kind)
    kernel[1, 1](out, *arguments)
    return out.tolist()


Pair = collections.namedtuple("Pair", "x y")


class Reductions(unittest.TestCase):
    def test_without_nans(self) -> None:
        """NumPy's functions that leave nans out, and count_nonzero."""

        @cuda.jit
        def kernel(out, a):
            out[0] = np.nansum(a)
            out[1] = np.nanprod(a)
            out[2] = np.nanmax(a)
            out[3] = np.nanmin(a)
            out[4] = np.nanmean(a)
            out[5] = np.nanvar(a)
            out[6] = np.nanstd(a)
            out[7] = np.count_nonzero(a)

        given = np.array([[np.nan, 2.5, -1.0], [0.0, np.nan, 7.0]])
        for a in (given, given[:, ::2], given.T, given[1], np.arange(6), np.array([3, 0, 1], np.int8), np.full(2, np.nan), given.astype(np.float32), np.array(3.5)):
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = [function(a) for function in (np.nansum, np.nanprod, np.nanmax, np.nanmin, np.nanmean, np.nanvar, np.nanstd, np.count_nonzero)]
            np.testing.assert_allclose(launch(kernel, 8, a), expected, rtol=1e-6)

    def test_numbers(self) -> None:
        @cuda.jit
        def kernel(out, a):
            out[0] = a.sum()
            out[1] = a.prod()
            out[2] = a.mean()
            out[3] = a.var()
            out[4] = a.std()
            out[5] = a.min()
            out[6] = a.max()
            out[7] = a.argmin()
            out[8] = a.argmax()
            out[9] = a.any() + 2 * a.all()
            out[10] = np.sum(a) + np.mean(a) + np.max(a) + np.amin(a) + np.argmax(a)
            out[11] = a[1:, ::2].sum() + a.T.max()

        for kind in KINDS:
            a = np.array([[3, 1, 2], [7, 4, 1]]).astype(kind)
            layouts = (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]) if kind == "f8" else (a,)
            for array in layouts:
                expected = [18, 168, a.mean(), a.var(), a.std(), 1, 7, 1, 3, 3, 18 + 3 + 7 + 1 + 3, 8 + 7]
                np.testing.assert_allclose(launch(kernel, 12, array), expected, rtol=1e-6)

    def test_nan_and_bool(self) -> None:
        @cuda.jit
        def kernel(out, a, flags):
            out[0] = a.min()
            out[1] = a.argmax()
            out[2] = flags.sum()
            out[3] = flags.all()

        result = launch(kernel, 4, np.array([1, np.nan, 3, np.nan]), np.array([True, False, True]))
        np.testing.assert_array_equal(result, [np.nan, 1, 2, 0])

    def test_axis(self) -> None:
        @cuda.jit
        def kernel(out, a):
            out[0] = a.sum(0)

        with self.assertRaisesRegex(UnsupportedError, "makes an array, which kernels cannot"):
            kernel[1, 1](np.zeros(1), np.zeros((2, 2)))


class Views(unittest.TestCase):
    def test_reshape_by_arguments(self) -> None:
        """The dimension that is -1 may come when the kernel runs."""
        @cuda.jit
        def flat(a, shape, out):
            b = a.reshape(shape)
            for i in range(b.shape[0]):
                out[i] = b[i]

        @cuda.jit
        def shaped(a, shape, out):
            b = a.reshape(shape)
            for i in range(3):
                out[i] = b.shape[i]
            out[3] = b[-1, -1, -1]

        a = np.arange(25).reshape(5, 5)
        for shape in -1, (-1,), 25:
            out = np.zeros(25, np.int64)
            flat[1, 1](a, shape, out)
            self.assertEqual(out.tolist(), list(range(25)))
        for shape, wanted in [((-1, 5, 1), (5, 5, 1)), ((5, -1, 5), (5, 1, 5)), ((1, 25, -1), (1, 25, 1)), ((5, 5, 1), (5, 5, 1))]:
            out = np.zeros(4, np.int64)
            shaped[1, 1](a, shape, out)
            self.assertEqual(out.tolist(), [*wanted, 24])

    def test_reshape_ravel_flat(self) -> None:
        @cuda.jit
        def kernel(out, a, rows):
            b = a.reshape(rows, -1)
            c = a.reshape((2, 3, 2))
            out[0] = b.shape[0] * 100 + b.shape[1]
            out[1] = b[1, 2]
            out[2] = c[1, 2, 0]
            out[3] = a.ravel()[7]
            total = 0
            for x in a.flat:
                total += x
            out[4] = total
            out[5] = a.reshape(-1).size

        a = np.arange(12).reshape(2, 6)
        self.assertEqual(launch(kernel, 6, a, 3), [304, 6, 10, 7, 66, 12])

        @cuda.jit
        def strided(out, a):
            out[0] = a.reshape(6)[0]

        with self.assertRaisesRegex(UnsupportedError, "reshape needs a contiguous array"):
            strided[1, 1](np.zeros(1), np.zeros((3, 4))[:, ::2])

    def test_view(self) -> None:
        @cuda.jit
        def kernel(out, a):
            shared = cuda.shared.array(4, float32)
            shared[1] = a[1]
            out[0] = a.view(np.int32)[1]
            out[1] = a.view(int16).size
            out[2] = shared.view(np.uint32)[1]
            out[3] = a.view("int64").shape[0]

        a = np.array([0, 1.5, 2, 3], np.float32)
        bits = int(a.view(np.int32)[1])
        self.assertEqual(launch(kernel, 4, a, kind=np.int64), [bits, 8, bits, 2])

    def test_attributes(self) -> None:
        @cuda.jit
        def kernel(out, a):
            out[0] = a.nbytes
            out[1] = a.strides[-1] + a.itemsize + a.ndim
            out[2] = a.T.shape[0]
            out[3] = a.real[0, 0]
            zero = a[0, 0:1].reshape(())
            out[4] = zero.item() + zero[()]

        self.assertEqual(launch(kernel, 5, np.full((2, 3), 4.0)), [48, 18, 3, 4, 8])

    def test_item(self) -> None:
        """Of arrays of one element, and of numbers, without an index."""

        @cuda.jit
        def kernel(out, a):
            out[0] = a[1, 0:1].item()
            out[1] = a[1:, 2:].item()
            out[2] = a[0, 1].item()
            out[3] = type(a[0, 0])(2.9)

        self.assertEqual(launch(kernel, 4, np.arange(6).reshape(2, 3)), [3, 5, 1, 2])

        @cuda.jit(debug=True, opt=False)
        def wrong(out, a):
            out[0] = a.item()

        with self.assertRaisesRegex(ValueError, "can only convert an array of size 1 to a Python scalar"):
            launch(wrong, 1, np.arange(6.0))

    def test_type_of_tuples_and_members(self) -> None:
        @cuda.jit
        def kernel(out, pair):
            other = type(pair)(pair.y, pair.x)
            out[0] = other.x - other.y

        self.assertEqual(launch(kernel, 1, Pair(1, 5)), [4])

    def test_what_makes_arrays(self) -> None:
        @cuda.jit
        def kernel(out, a):
            b = a.copy()
            out[0] = b[0]

        with self.assertRaisesRegex(UnsupportedError, "'copy' makes an array, which kernels cannot"):
            kernel[1, 1](np.zeros(1), np.zeros(3))


class Slices(unittest.TestCase):
    def test_assignment(self) -> None:
        @cuda.jit
        def kernel(out, a):
            i = cuda.threadIdx.x
            if i == 0:
                out[0, 1:3] = 5
                out[1] = a[0]
                out[2, ::-1] = a[1]
                out[3:, :2] = a[:, 1:3]
                out[3:, 2:] = a[0, :2]
                out[-1, ...].fill(9)

        a = np.arange(8.0).reshape(2, 4)
        out = np.zeros((5, 4))
        kernel[1, 2](out, a)
        expected = np.zeros((5, 4))
        expected[0, 1:3] = 5
        expected[1] = a[0]
        expected[2, ::-1] = a[1]
        expected[3:, :2] = a[:, 1:3]
        expected[3:, 2:] = a[0, :2]
        expected[-1] = 9
        np.testing.assert_array_equal(out, expected)

    def test_steps(self) -> None:
        @cuda.jit
        def kernel(out, a, step):
            part = a[::step]
            out[0] = part.size
            out[1] = part[0]
            out[2] = a[8:1:step].size
            out[3] = a[1:8:step].size
            for x in a[2:9:step]:
                out[4] += x

        a = np.arange(10.0)
        for step in 1, 2, 3, 7, 20, -1, -2, -3, -20:
            expected = [a[::step].size, a[::step][0], a[8:1:step].size, a[1:8:step].size, a[2:9:step].sum()]
            self.assertEqual(launch(kernel, 5, a, step), expected, step)

    def test_errors(self) -> None:
        @cuda.jit
        def dimensions(out, a):
            out[0:2] = a

        @cuda.jit
        def floats(out, a):
            out[0.5:] = 1

        with self.assertRaisesRegex(TypingError, r"array\(float64, 2d, C\) cannot be assigned to array\(float64, 1d, C\)"):
            dimensions[1, 1](np.zeros(3), np.zeros((2, 2)))
        with self.assertRaisesRegex(TypingError, "the parts of a slice are integers"):
            floats[1, 1](np.zeros(3), 1)


class Globals(unittest.TestCase):
    def test_device_array(self) -> None:
        table = cuda.to_device(np.arange(12, dtype=np.float32).reshape(3, 4))
        column = table[:, 1]

        @cuda.jit(device=True)
        def item(i, j):
            return table[i, j]

        @cuda.jit
        def kernel(out):
            i = cuda.threadIdx.x
            out[i] = item(i, 2) + column[i]
            table[i, 3] = -1

        out = np.zeros(3)
        kernel[1, 3](out)
        self.assertEqual(out.tolist(), [3.0, 11.0, 19.0])
        self.assertEqual(table.copy_to_host()[:, 3].tolist(), [-1, -1, -1])
        table.copy_to_device(np.full((3, 4), 2, np.float32))
        kernel[1, 3](out)
        self.assertEqual(out.tolist(), [4.0, 4.0, 4.0])

    def test_kernel_keeps_it(self) -> None:
        def make():
            data = cuda.to_device(np.arange(1000))

            @cuda.jit
            def kernel(out):
                out[0] = data[999]

            kernel[1, 1](np.zeros(1))
            return kernel

        kernel = make()
        others = [cuda.to_device(np.zeros(1000, np.int64)) for _ in range(20)]
        self.assertEqual(launch(kernel, 1), [999.0])
        self.assertEqual(len(others), 20)


if __name__ == "__main__":
    main()
