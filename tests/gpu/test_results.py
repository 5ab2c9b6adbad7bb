"""Kernels whose results are easy to get wrong: overflow, nans, overlapping arguments, keywords, casts of signatures."""

import math
import unittest
import warnings

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, int32, int64
from numba.core.errors import RequireLiteralValue, TypingError, UnsupportedError


def run(body, *arguments):
    """The arguments after the kernel ran in one thread."""
    cuda.jit(body)[1, 1](*arguments)
    return arguments


class Integers(unittest.TestCase):
    def test_overflow_wraps(self) -> None:
        def body(a, b, out):
            out[0] = a[0] + b[0]
            out[1] = a[0] - b[1]
            out[2] = a[0] * a[0]
            out[3] = -a[1]
            out[4] = abs(a[1])
            out[5] = 1 if a[0] + 1 > a[0] else 0
            out[6] = a[0] << 1
            out[7] = a[1] // -1

        most, least = 2**63 - 1, -(2**63)
        a, b, out = np.array([most, least]), np.array([1, -1]), np.zeros(8, np.int64)
        run(body, a, b, out)
        self.assertEqual(out.tolist(), [least, least, 1, least, least, 0, -2, least])

    def test_plain_sums_are_written_plainly(self) -> None:
        """Where ranges show that nothing overflows, the text has no detour."""

        @cuda.jit
        def sums(x):
            i = cuda.grid(1)
            if i < x.size - 1:
                x[i] = x[i + 1]

        sums[1, 1](np.zeros(3))
        text = sums.inspect_source()
        self.assertNotIn("plus<", text[text.index("__global__") :])

    def test_loops_of_one_name(self) -> None:
        """A loop counts on where a loop in it has given its variable other values."""

        @cuda.jit
        def loops(n, out):
            for j in range(n):
                out[0] += 1
                for j in range(n - 1, -1, -1):
                    out[1] += j
                out[2] += j

        out = np.zeros(3, np.int64)
        text = loops.inspect_source((int64, int64[::1]))
        self.assertIn("for (int64 counter_", text[text.index("__global__") :].partition("{")[2].partition(")")[0])
        loops[1, 1](5, out)
        self.assertEqual(out.tolist(), [5, 50, 0])


class Nans(unittest.TestCase):
    CASES = [(math.nan, 1.0), (1.0, math.nan), (math.nan, math.nan), (2.0, 1.0), (-1.0, math.inf)]

    def test_builtins(self) -> None:
        """A nan is neither the least nor the greatest, as in CUDA's fmin and fmax."""

        def body(a, b, out):
            i = cuda.grid(1)
            out[i, 0] = max(a[i], b[i])
            out[i, 1] = min(a[i], b[i])
            out[i, 2] = np.fmax(a[i], b[i])
            out[i, 3] = np.maximum(a[i], b[i])
            out[i, 4] = np.minimum(a[i], b[i])

        for dtype in np.float32, np.float64:
            a, b = (np.array(column, dtype) for column in zip(*self.CASES))
            out = np.zeros((len(a), 5), dtype)
            cuda.jit(body)[1, len(a)](a, b, out)
            expected = np.stack([np.fmax(a, b), np.fmin(a, b), np.fmax(a, b), np.maximum(a, b), np.minimum(a, b)], 1)
            np.testing.assert_array_equal(out, expected)

    def test_in_constant_arrays(self) -> None:
        """Of both widths and signs, in complex numbers and records, too."""
        numbers = np.array([math.nan, math.inf, -math.inf, -0.0, 1.5, np.copysign(math.nan, -1)])
        single, both = numbers.astype(np.float32), numbers[:3] + 2j
        records = np.array([(math.inf, math.nan)], [("a", np.float64), ("b", np.float32)])

        @cuda.jit
        def kernel(out):
            for i in range(6):
                out[i] = numbers[i]
                out[6 + i] = single[i]
            for i in range(3):
                out[12 + i] = both[i].real
            out[15] = records[0]["a"]
            out[16] = records[0]["b"]

        out = np.zeros(17)
        kernel[1, 1](out)
        np.testing.assert_array_equal(out, [*numbers, *single, *both.real, math.inf, math.nan])
        np.testing.assert_array_equal(np.signbit(out), np.signbit([*numbers, *single, *both.real, math.inf, math.nan]))

    def test_match_compares_bits(self) -> None:
        def body(values, out):
            i = cuda.threadIdx.x
            mask, same = cuda.match_all_sync(0xFFFFFFFF, values[i])
            out[i, 0] = mask
            out[i, 1] = same
            out[i, 2] = cuda.match_any_sync(0xFFFFFFFF, values[i])

        for dtype in np.float32, np.float64:
            for value, other, all_equal in [(math.nan, math.nan, True), (0.0, -0.0, False), (1.5, 1.25, False), (0.5, 0.5, True)]:
                values = np.full(32, value, dtype)
                values[7] = other
                out = np.zeros((32, 3), np.uint32)
                cuda.jit(body)[1, 32](values, out)
                everyone = 0xFFFFFFFF
                rest = everyone if all_equal else everyone & ~(1 << 7)
                self.assertEqual(out[:, 1].tolist(), [int(all_equal)] * 32, (value, other))
                self.assertEqual(out[0].tolist(), [everyone if all_equal else 0, int(all_equal), rest])
                self.assertEqual(out[7, 2], everyone if all_equal else 1 << 7)


class Rounding(unittest.TestCase):
    def test_digits(self) -> None:
        def body(x, digits, out):
            i = cuda.grid(1)
            out[i] = round(x[i], digits[i])

        cases = [(2.625, 2), (0.5, 0), (1.5, 0), (1234.5, -2), (5e22, -22), (1e300, 100), (1e18 + 123, 2), (3.7, 400), (12345.0, -400),
                 (0.0, 50), (-0.25, 1), (1e16, -1), (math.inf, 2), (-math.inf, -2), (1.2345678901234567e-5, 25), (9.99e20, 3)]
        x, digits = np.array([x for x, _ in cases]), np.array([n for _, n in cases])
        out = np.zeros(len(cases))
        cuda.jit(body)[1, len(cases)](x, digits, out)
        self.assertEqual(out.tolist(), [round(value, n) if math.isfinite(value) else value for value, n in cases])
        run(body, np.array([2.675]), np.array([2]), out)
        self.assertEqual(out[0], 2.68)  # through a power of ten, as numba; Python says 2.67

    def test_nan_stays(self) -> None:
        def body(x):
            x[0] = round(x[0], 2)

        self.assertTrue(math.isnan(run(body, np.array([math.nan]))[0][0]))


class Overlaps(unittest.TestCase):
    """Host arrays that share memory are one memory in the kernel, too."""

    def test_interleaved(self) -> None:
        @cuda.jit
        def raise_both(a, b):
            i = cuda.grid(1)
            if i < a.size:
                a[i] += 100
            if i < b.size:
                b[i] += 1000

        a = np.arange(10.0)
        raise_both[1, 32](a[::2], a[1::2])
        self.assertEqual(a.tolist(), [i + (1000 if i % 2 else 100) for i in range(10)])
        z = np.arange(4) * (1 + 2j)
        raise_both[1, 32](z.real, z.imag)
        self.assertEqual(z.tolist(), [complex(i + 100, 2 * i + 1000) for i in range(4)])
        a = np.arange(10.0)
        raise_both[1, 32](a[:6], a[4:])
        self.assertEqual(a.tolist(), [i + 100 * (i < 6) + 1000 * (i >= 4) for i in range(10)])
        a = np.arange(6.0)
        raise_both[1, 32](a[::-1], a[:0])
        self.assertEqual(a.tolist(), [100.0 + i for i in range(6)])

    def test_gaps_keep_what_they_hold(self) -> None:
        @cuda.jit
        def fill(a):
            i, j = cuda.grid(2)
            if i < a.shape[0] and j < a.shape[1]:
                a[i, j] = 7

        a = np.arange(24.0).reshape(4, 6)
        fill[(1, 1), (8, 8)](a[1:3, 1:5:2])
        expected = np.arange(24.0).reshape(4, 6)
        expected[1:3, 1:5:2] = 7
        np.testing.assert_array_equal(a, expected)


class Keywords(unittest.TestCase):
    def test_by_name(self) -> None:
        def body(x, out):
            values = cuda.shared.array(dtype=float32, shape=4, alignment=16)
            mine = cuda.local.array(shape=2, dtype=int32, alignment=None)
            values[0] = x[0]
            mine[1] = 3
            out[0] = cuda.selp(a=x[0] > 0, b=1.0, c=2.0)
            out[1] = round(number=x[1], ndigits=1)
            out[2] = values[0] + mine[1]
            out[3] = pow(base=x[0], exp=2)
            cuda.atomic.add(ary=out, idx=4, val=5.0)
            out[5] = complex(imag=2.0, real=1.0).imag
            cuda.syncwarp(mask=0xFFFFFFFF)

        out = run(body, np.array([3.0, 1.26]), np.zeros(6))[1]
        self.assertEqual(out.tolist(), [1.0, 1.3, 6.0, 9.0, 5.0, 2.0])

    def test_refused(self) -> None:
        def axis(x):
            x[0] = x.sum(axis=0)

        def order(x):
            x[0] = x.reshape(2, 2, order="F")[0, 0]

        def unknown(x):
            x[0] = math.sqrt(value=x[0])

        def twice(x):
            x[0] = cuda.selp(True, 1.0, a=2.0)

        def alignment(x):
            cuda.shared.array(4, float32, alignment=3)

        def no_alignment(x):
            cuda.shared.array(4, float32, alignment=-8)

        def unknown_alignment(x):
            cuda.local.array(4, float32, alignment=x.size)

        def flush(x):
            print(x[0], flush=True)

        for body, error, words in [
            (axis, UnsupportedError, "axis"), (order, UnsupportedError, "order"), (unknown, TypingError, "no keyword argument 'value'"),
            (twice, TypingError, "no keyword argument 'a'"), (alignment, ValueError, "Alignment must be a power of 2"), (flush, UnsupportedError, "flush"),
            (no_alignment, ValueError, "Alignment must be positive"), (unknown_alignment, RequireLiteralValue, "RequireLiteralValue: alignment must be a constant integer"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(error, words):
                run(body, np.ones(4))

    def test_unknown_options_warn(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cuda.jit(nonsense=3)(lambda x: None)
        self.assertIn("nonsense", str(caught[0].message))


class Signatures(unittest.TestCase):
    def test_casts(self) -> None:
        @cuda.jit("void(float32, int32, float64[:])")
        def kernel(x, n, out):
            out[0] = x
            out[1] = n

        out = np.zeros(2)
        kernel[1, 1](0.1, 7, out)
        self.assertEqual(out.tolist(), [float(np.float32(0.1)), 7.0])
        kernel[1, 1](np.float64(2.5), np.int64(3), out)
        self.assertEqual(out.tolist(), [2.5, 3.0])
        with self.assertRaisesRegex(TypeError, "int32"):
            kernel[1, 1](1.0, 2.5, out)
        with self.assertRaises(TypeError):
            kernel[1, 1](1j, 2, out)

    def test_best_match(self) -> None:
        @cuda.jit(["void(int64[:], float64)", "void(int64[:], int64)", "void(int64[:], int32)"])
        def kernel(out, x):
            out[0] = x.real * 2

        out = np.zeros(1, np.int64)
        for value, expected in [(2.75, 5), (3, 6), (np.int32(4), 8), (np.float32(1.75), 3)]:
            kernel[1, 1](out, value)
            self.assertEqual(out[0], expected)

    def test_signs_of_elements(self) -> None:
        """Integers of one width are taken as the signature has them; one that has them as they are goes first."""

        @cuda.jit("void(uint32[:], float64[:])")
        def kernel(x, out):
            out[0] = x[0] / 2

        out = np.zeros(1)
        kernel[1, 1](np.array([-2], np.int32), out)
        self.assertEqual(out[0], 2**31 - 1)
        with self.assertRaisesRegex(TypeError, "No matching definition"):
            kernel[1, 1](np.array([-2], np.int64), out)

        @cuda.jit(["void(uint32[:], float64[:])", "void(int32[:], float64[:])"])
        def both(x, out):
            out[0] = x[0]

        both[1, 1](np.array([-2], np.int32), out)
        self.assertEqual(out[0], -2)

    def test_ambiguous(self) -> None:
        @cuda.jit(["void(float32, float64[:])", "void(int32, float64[:])"])
        def kernel(x, out):
            out[0] = x

        with self.assertRaisesRegex(TypeError, "Ambiguous overloading for .*kernel.*float64"):
            kernel[1, 1](2.5, np.zeros(1))
        with self.assertRaisesRegex(TypeError, "No matching definition for argument type"):
            kernel[1, 1](2.5, np.zeros(1, np.int32))

    def test_compile_leaves_a_kernel_open(self) -> None:
        @cuda.jit
        def twice(x):
            x[0] *= 2

        twice.compile((float32[:],))
        for dtype in np.float32, np.float64, np.int64:
            x = np.ones(1, dtype)
            twice[1, 1](x)
            self.assertEqual(x[0], 2)


class Views(unittest.TestCase):
    def test_read_only(self) -> None:
        @cuda.jit
        def first(x, out):
            out[0] = x[0]

        @cuda.jit
        def spoil(x):
            x[0] = 1

        values = np.arange(6.0)
        description = {"shape": (6,), "typestr": "<f8", "data": (values.__array_interface__["data"][0], True), "version": 3}
        if not hasattr(cuda.device_array(1), "__cuda_array_interface__"):  # the host's memory is the device's
            array = cuda.from_cuda_array_interface(description, owner=values)
            for view in array, array[1:], array.reshape(2, 3), array.T, array.view(np.int64):
                self.assertTrue(view._readonly)
                self.assertRaises(BufferError, view.__dlpack__)
                with self.assertRaises(TypingError):
                    spoil[1, 1](view)
            out = np.zeros(1)
            first[1, 1](array[2:], out)
            self.assertEqual(out[0], 2.0)
        with self.assertRaisesRegex(NotImplementedError, "Masked arrays are not supported"):
            cuda.from_cuda_array_interface(description | {"mask": values}, owner=values)

    def test_order(self) -> None:
        base = np.arange(24.0).reshape(2, 3, 4)
        for array in base, base.T, base.transpose(1, 2, 0), base.transpose(2, 0, 1), base[:, ::2], np.asfortranarray(base[0]):
            like = cuda.device_array_like(array)
            self.assertEqual(like.strides, np.empty_like(array).strides)
            self.assertEqual(cuda.pinned_array_like(array).strides, np.empty_like(array).strides)
            copied = cuda.to_device(array)
            self.assertEqual(copied.strides, np.empty_like(array).strides)
            np.testing.assert_array_equal(copied.copy_to_host(), array)
        fortran = cuda.to_device(np.asfortranarray(base[0]))
        np.testing.assert_array_equal(fortran.reshape(4, 3, order="F").copy_to_host(), base[0].reshape(4, 3, order="F"))
        np.testing.assert_array_equal(fortran.ravel(order="F").copy_to_host(), base[0].ravel(order="F"))
        self.assertRaises(NotImplementedError, fortran.reshape, 4, 3)


class Names(unittest.TestCase):
    def test_functions_named_as_those_of_c(self) -> None:
        @cuda.jit(device=True)
        def exp(x):
            return math.exp(x) + 1

        @cuda.jit(device=True)
        def fmod(x, y):
            return math.fmod(x, y) * 10

        @cuda.jit
        def kernel(x):
            x[0] = exp(x[0])
            x[1] = fmod(x[1], 2.0) + math.exp(0.0)

        x = np.array([0.0, 3.0])
        kernel[1, 1](x)
        self.assertEqual(x.tolist(), [2.0, 11.0])


class Printing(unittest.TestCase):
    def test_separator_and_end(self) -> None:
        import subprocess
        import sys

        program = (
            "from numba import cuda\n@cuda.jit\ndef k():\n    print(1, 2.5, sep='-', end='!')\n    print('a', 'b', sep='')\n"
            "    print('done', end=None)\nk[1, 1]()\ncuda.synchronize()\n"
        )
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual((result.stdout, result.stderr), ("1-2.500000!ab\ndone\n", ""))


main()
