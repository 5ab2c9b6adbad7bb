"""@cfunc: functions that C calls; carray and farray: C's memory as arrays."""

import ctypes
import math
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numba
import numpy as np
from numba import carray, cfunc, farray, float64, int32, njit, types

try:
    import scipy
except ImportError:
    scipy = None

DOUBLES = ctypes.POINTER(ctypes.c_double)
RECORD = np.dtype([("count", np.int32), ("weight", np.float64)], align=True)


class Callbacks(unittest.TestCase):
    def test_calls(self) -> None:
        @cfunc("float64(float64, float64)", cache=True)
        def add(x, y):
            """Adds."""
            return x + y

        @njit
        def twice(x):
            return add(x, x)

        self.assertEqual((add(1, 2), add.ctypes(1, 2.5), twice(4.0), add.__wrapped__(1, 2)), (3, 3.5, 8.0, 3))
        self.assertEqual((add.__name__, add.__doc__, add.cache_hits), ("add", "Adds.", 0))
        self.assertIn("add", add.native_name)
        self.assertIn("Numba C callback", repr(add))
        self.assertIsInstance(add.inspect_llvm(), str)
        self.assertEqual((add.ctypes.argtypes, add.ctypes.restype), ((ctypes.c_double, ctypes.c_double), ctypes.c_double))
        by_address = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(add.address)
        self.assertEqual([by_address(i, 0.5) for i in range(3000)], [i + 0.5 for i in range(3000)])

    def test_types(self) -> None:
        for name in "int8 uint8 int16 uint16 int32 uint32 int64 uint64 intp uintp intc float32 float64".split():
            kind = getattr(types, name)
            same = cfunc(kind(kind))(lambda x: x)
            self.assertEqual(same.ctypes(7), 7, name)
            self.assertEqual(np.dtype(same.ctypes.restype), np.dtype(name))
        self.assertIs(cfunc(types.boolean(types.int64))(lambda x: x > 2).ctypes(3), True)
        self.assertEqual(cfunc(types.int32(types.float64))(lambda x: x * 1.5).ctypes(5), 7)
        self.assertEqual(cfunc(float64(int32))(lambda x: np.float32(x)).ctypes(5), 5)
        with self.assertRaisesRegex(TypeError, "invalid signature"):
            cfunc("float64")
        with self.assertRaises(NotImplementedError):
            cfunc("unicode_type(float64)")(lambda x: str(x)).ctypes

    def test_pointers(self) -> None:
        @cfunc(types.void(types.CPointer(types.double), types.CPointer(types.double), types.intc, types.intc))
        def double(source, target, m, n):
            given, made = carray(source, (m, n)), carray(target, (m, n))
            for i in range(m):
                for j in range(n):
                    made[i, j] = 2 * given[i, j]

        @cfunc("float64(CPointer(float64), intp)")
        def total(values, n):
            s = 0.0
            for i in range(n):
                s += values[i]
            values[0] = -1.0
            return s

        @cfunc("void(voidptr, intp)")
        def fill(memory, n):
            carray(memory, n, np.float32)[:] = 3

        a, b, c = np.arange(6000.0).reshape(60, 100), np.zeros((60, 100)), np.zeros(4, np.float32)
        double.ctypes(a.ctypes.data_as(DOUBLES), b.ctypes.data_as(DOUBLES), 60, 100)
        np.testing.assert_array_equal(b, 2 * a)
        self.assertEqual(total.ctypes(a.ctypes.data_as(DOUBLES), 6000), sum(range(6000)))
        self.assertEqual(a[0, 0], -1)
        fill.ctypes(c.ctypes.data, 3)
        self.assertEqual(c.tolist(), [3, 3, 3, 0])

    def test_records(self) -> None:
        @cfunc(types.float64(types.CPointer(numba.from_dtype(RECORD)), types.intp))
        def total(records, n):
            found = carray(records, n)
            return sum(found[i].count * found[i].weight for i in range(n))

        records = np.zeros(3, RECORD)
        records["count"], records["weight"] = [1, 2, 3], [0.5, 1, 2]
        self.assertEqual(total.ctypes(records.ctypes.data, 3), 8.5)

    def test_arrays(self) -> None:
        a = np.arange(6.0)
        pointer, untyped = a.ctypes.data_as(DOUBLES), a.ctypes.data_as(ctypes.c_void_p)
        np.testing.assert_array_equal(carray(pointer, (2, 3)), a.reshape(2, 3))
        np.testing.assert_array_equal(farray(pointer, (2, 3)), a.reshape((2, 3), order="F"))
        self.assertTrue(farray(pointer, (2, 3)).flags.f_contiguous)
        np.testing.assert_array_equal(carray(pointer, 6, np.float64), a)
        np.testing.assert_array_equal(carray(untyped, 6, np.int64), a.view(np.int64))
        self.assertEqual(carray(untyped, (0, 2), np.int64).shape, (0, 2))
        carray(pointer, 6)[2] = 20
        self.assertEqual(a[2], 20)
        for arguments, message in (((pointer, 6, np.int64), "mismatching dtype 'int64' for pointer"), ((untyped, 6), "explicit dtype required"),
                                   (("text", 6), "expected a ctypes pointer, got 'text'")):
            with self.assertRaisesRegex(TypeError, message):
                carray(*arguments)
        with self.assertRaises(ValueError):
            carray(ctypes.c_void_p(0), 6, np.int64)

    def test_sorting(self) -> None:
        @cfunc(types.intc(types.CPointer(types.int32), types.CPointer(types.int32)))
        def compare(a, b):
            return a[0] - b[0]

        values = np.array([3, 1, 2, -5] * 50, np.int32)
        sort = ctypes.CDLL(None).qsort
        sort.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
        sort.restype = None
        sort(values.ctypes.data, len(values), 4, compare.address)
        self.assertEqual(values.tolist(), sorted([3, 1, 2, -5] * 50))

    def test_exceptions(self) -> None:
        program = """
from numba import cfunc
@cfunc("int32(int32)")
def small(x):
    if x > 3:
        raise ValueError("too large")
    return x
print(small.ctypes(2), small.ctypes(9), small.ctypes(3))
"""
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stdout), (0, "2 0 3\n"))
        self.assertIn("Exception ignored", found.stderr)
        self.assertIn("ValueError: too large", found.stderr)

    @unittest.skipIf(scipy is None, "no SciPy")
    def test_scipy(self) -> None:
        from scipy import LowLevelCallable, integrate, ndimage

        @cfunc("float64(float64)")
        def falling(x):
            return math.exp(-x) / x**2

        @cfunc("float64(intc, CPointer(float64))")
        def product(n, x):
            return x[0] * x[1]

        @cfunc("intc(CPointer(float64), intp, CPointer(float64), voidptr)")
        def mean(values, n, result, data):
            result[0] = sum(values[i] for i in range(n)) / n
            return 1

        self.assertAlmostEqual(integrate.quad(LowLevelCallable(falling.ctypes), 1, np.inf)[0], 0.14849550677592208)
        self.assertAlmostEqual(integrate.nquad(LowLevelCallable(product.ctypes), [[0, 1], [0, 2]])[0], 1)
        image = np.arange(90.0).reshape(9, 10)
        np.testing.assert_allclose(ndimage.generic_filter(image, LowLevelCallable(mean.ctypes), size=3),
                                   ndimage.generic_filter(image, np.mean, size=3))


if __name__ == "__main__":
    main()
