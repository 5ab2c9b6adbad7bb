"""@vectorize and @guvectorize on large arrays: kernels."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, guvectorize, int64, vectorize


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

    def test_numbers_fit_any_signature(self) -> None:
        """As numba has it for target="cuda": a number of Python's becomes what the signature says."""
        @vectorize(["int16(int16)"], target="cuda")
        def after(x):
            return x + 1

        @vectorize(["int16(int16, int16)"], target="cuda")
        def product(x, y):
            return x * y

        self.assertEqual(after(2.7), 3)
        self.assertEqual(product(np.arange(3, dtype=np.int16), 2.7).tolist(), [0, 2, 4])
        with self.assertRaises(TypeError):
            after(np.array([2.7]))

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


class Foreign(unittest.TestCase):
    """Arrays of other libraries, which tell where they are by __cuda_array_interface__ only."""

    class Array:
        def __init__(self, host) -> None:
            self.kept = cuda.to_device(host)
            address = self.kept.device_ctypes_pointer.value
            self.__cuda_array_interface__ = {"shape": host.shape, "typestr": host.dtype.str, "data": (address, False), "version": 3, "strides": None}

    def test_ufuncs(self) -> None:
        @vectorize(["float64(float64, float64)"], target="cuda")
        def add(x, y):
            return x + y

        x = np.arange(2000.0)
        result = add(self.Array(x), self.Array(2 * x))
        np.testing.assert_array_equal(result.copy_to_host(), 3 * x)
        out = self.Array(np.zeros(2000))
        for given in (self.Array(x), x):
            returned = add(given, 5, out=out)  # a device array, as under numba
            np.testing.assert_array_equal(returned.copy_to_host(), x + 5)
        np.testing.assert_array_equal(out.kept.copy_to_host(), x + 5)

    def test_gufuncs(self) -> None:
        @guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", target="cuda")
        def twice(x, out):
            for i in range(x.size):
                out[i] = 2 * x[i]

        x = np.arange(2000.0).reshape(20, -1)
        np.testing.assert_array_equal(twice(self.Array(x)).copy_to_host(), 2 * x)
        out = self.Array(np.zeros_like(x))
        np.testing.assert_array_equal(twice(self.Array(x), out).copy_to_host(), 2 * x)
        np.testing.assert_array_equal(out.kept.copy_to_host(), 2 * x)


class Guvectorize(unittest.TestCase):
    def test_targets(self) -> None:
        for target in "cpu", "parallel", "cuda":

            @guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])", "void(int64[:,:], int64[:,:], int64[:,:])"],
                         "(m,n),(n,p)->(m,p)", target=target)
            def product(a, b, out):
                for i in range(out.shape[0]):
                    for j in range(out.shape[1]):
                        out[i, j] = 0
                        for k in range(a.shape[1]):
                            out[i, j] += a[i, k] * b[k, j]

            rng = np.random.default_rng(2)
            for shapes in ((30, 5, 4), (30, 4, 6)), ((5, 6, 5, 4), (6, 4, 6)), ((5, 4), (40, 4, 6)), ((50, 40), (40, 30)):
                a, b = rng.random(shapes[0]), rng.random(shapes[1])
                np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-13)
            a = rng.integers(0, 9, (20, 3, 3))
            out = np.zeros((20, 3, 3), np.int64)
            self.assertIs(product(a, a, out), out)
            np.testing.assert_array_equal(out, a @ a)

    def test_scalars_and_several_results(self) -> None:
        @guvectorize([(float64[:], float64, float64[:], float64[:])], "(n),()->(n),()")
        def shifted(x, by, out, total):
            total[0] = 0
            for i in range(x.shape[0]):
                out[i] = x[i] + by
                total[0] += out[i]

        @guvectorize(["(float32[:], float32[:], float32[:])"], "(n),()->()")
        def scaled(x, by, out):
            out[0] = x.sum() * by[0]

        for rows in 3, 500:
            x = np.arange(rows * 7.0).reshape(rows, 7)
            by = np.arange(rows) * 0.5
            out, total = shifted(x, by)
            np.testing.assert_array_equal(out, x + by[:, None])
            np.testing.assert_array_equal(total, (x + by[:, None]).sum(1))
            out, total = shifted(x, 2)
            np.testing.assert_array_equal(total, (x + 2).sum(1))
            np.testing.assert_allclose(scaled(x.astype(np.float32), np.float32(2)), x.sum(1) * 2, rtol=1e-6)
        self.assertEqual(shifted(np.arange(3.0), 1)[1], 6)

    def test_device_arrays(self) -> None:
        @guvectorize([(int64[:], int64[:])], "(n)->(n)", target="cuda")
        def running(x, out):
            total = 0
            for i in range(x.shape[0]):
                total += x[i]
                out[i] = total

        x = np.arange(12).reshape(3, 4)
        result = running(cuda.to_device(x))
        self.assertIsInstance(result, cuda.DeviceNDArray)
        np.testing.assert_array_equal(result.copy_to_host(), x.cumsum(1))
        target = cuda.device_array((3, 4), np.int64)
        running(cuda.to_device(x), target)
        np.testing.assert_array_equal(target.copy_to_host(), x.cumsum(1))

    def test_what_kernels_cannot(self) -> None:
        @guvectorize([(int64[:], int64[:])], "(n)->(n)")
        def digits(x, out):
            for i in range(len(x)):
                out[i] = len(str(x[i]))

        x = np.arange(2000).reshape(20, 100)
        np.testing.assert_array_equal(digits(x), np.vectorize(lambda v: len(str(v)))(x))


class Options(unittest.TestCase):
    """As numba has them for GPUs."""

    def test_refused(self) -> None:
        with self.assertRaisesRegex(KeyError, "Unrecognized options"):
            vectorize(["f4(f4)"], target="cuda", nonsense=2)
        with self.assertWarnsRegex(RuntimeWarning, "nopython kwarg for cuda target is redundant"):
            vectorize(["f4(f4)"], target="cuda", nopython=True)
        for options, words in ({"nopython": False}, "nopython flag must be True"), ({"nonsense": 2}, "target options are not supported: nonsense"):
            with self.assertRaisesRegex(TypeError, words):
                guvectorize(["void(f4[:], f4[:])"], "(m)->(m)", target="cuda", **options)
        with self.assertRaisesRegex(TypeError, "guvectorized functions cannot return values"):
            guvectorize(["i4(i4[:], i4[:])"], "(m)->(m)", target="cuda")(lambda x, y: None)

        @guvectorize(["void(i4[:], i4[:], i4[:])"], "(m),(m)->(m)", target="cuda")
        def add(x, y, z):
            for i in range(x.size):
                z[i] = x[i] + y[i]

        a = np.arange(5, dtype=np.int32)
        with self.assertRaisesRegex(TypeError, "gufunc accepts 2 positional arguments .*or 3 positional arguments.*Got 1 positional argument."):
            add(a)
        with self.assertRaisesRegex(ValueError, "both positional and keyword"):
            add(a, a, a, out=a)


if __name__ == "__main__":
    main()
