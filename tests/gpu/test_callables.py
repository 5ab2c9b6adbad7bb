"""Functions as arguments, nested ones, literals that they need to know, defaults, keywords, overloads."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, int32, types
from numba.core.errors import TypingError, UnsupportedError
from numba.cuda.extending import overload, overload_attribute, overload_method


class Functions(unittest.TestCase):
    def test_functions_as_arguments(self) -> None:
        @cuda.jit(device=True)
        def square(x):
            return x * x

        @cuda.jit(device=True)
        def apply(f, x, g=math.sqrt):
            return g(f(x))

        @cuda.jit
        def kernel(out):
            out[0] = apply(square, -3.0)
            out[1] = apply(square, 2.0, math.exp)
            out[2] = apply(math.fabs, -4.0)
            out[3] = apply(lambda x: x + 5, 11.0)

        out = np.zeros(4)
        kernel[1, 1](out)
        np.testing.assert_allclose(out, [3.0, math.exp(4.0), 2.0, 4.0])

    def test_literals_as_arguments(self) -> None:
        """The shape and the type of an array may come in."""

        @cuda.jit(device=True)
        def total(x, n, dtype):
            values = cuda.local.array(n, dtype)
            for i in range(n):
                values[i] = x[i]
            result = dtype(0)
            for i in range(n):
                result += values[i]
            return result

        @cuda.jit(device=True)
        def through(x, n):
            return total(x, n, float32) + total(x, 2, int32)

        @cuda.jit
        def kernel(x, out):
            out[0] = through(x, 4)
            out[1] = through(x, 3)

        out = np.zeros(2)
        kernel[1, 1](np.array([1.5, 2.5, 3.5, 4.5]), out)
        self.assertEqual(out.tolist(), [15.0, 10.5])

        @cuda.jit
        def unknown(x, n):
            total(x, n, float32)

        with self.assertRaisesRegex(TypingError, "known at compile time"):
            unknown[1, 1](out, 3)

    def test_nested(self) -> None:
        factor = 3

        @cuda.jit
        def kernel(x, shift, out):
            i = cuda.grid(1)
            bias = 1

            def scaled(v, times=2):
                if v < 0:
                    return -1.0
                return v * times * factor + bias + shift[0]

            bias = 10
            weight = lambda v: scaled(v) + x[0]
            if i < x.size:
                out[i] = scaled(x[i]) + weight(x[i]) + scaled(x[i], times=1)

        x, out = np.array([1.0, -2.0, 3.0]), np.zeros(3)
        kernel[1, 4](x, np.array([0.5]), out)

        def scaled(v, times=2):
            return -1.0 if v < 0 else v * times * factor + 10 + 0.5

        self.assertEqual(out.tolist(), [scaled(v) + scaled(v) + 1.0 + scaled(v, 1) for v in x])

    def test_star_arguments(self) -> None:
        @cuda.jit(device=True)
        def add(first, *rest):
            result = first
            for value in rest:
                result += value
            return result

        @cuda.jit
        def kernel(out, *values):
            out[0] = add(*values)
            out[1] = len(values)

        out = np.zeros(2)
        kernel[1, 1](out, 1, 2.5, 3)
        self.assertEqual(out.tolist(), [6.5, 3])

    def test_kernel_defaults_and_keywords(self) -> None:
        @cuda.jit
        def kernel(out, scale=2, shift=0.5):
            out[0] = scale * 10 + shift

        out = np.zeros(1)
        for call, expected in [(lambda k: k(out), 20.5), (lambda k: k(out, 3), 30.5), (lambda k: k(out, shift=1), 21.0),
                               (lambda k: k(shift=2, scale=1, out=out), 12.0)]:
            call(kernel[1, 1])
            self.assertEqual(out[0], expected)
        for arguments, names in [((), {}), ((out,), {"nothing": 1}), ((out, 1), {"scale": 2})]:
            with self.assertRaises(TypeError):
                kernel[1, 1](*arguments, **names)

    def test_unrolled_names(self) -> None:
        dtype = np.dtype([("a", np.float64), ("b", np.int32)], align=True)

        @cuda.jit
        def kernel(x, out):
            for name in cuda.literal_unroll(("a", "b")):
                out[0] += getattr(x[0], name)
                out[0] += x[0][name]
            out[1] = getattr(x, "size", 7) + getattr(x[0], "c", 0.25) + getattr(x[0], "a", 9)
            out[2] = getattr(x, "nothing", None) is None

        x, out = np.array([(1.5, 2)], dtype), np.zeros(3)
        kernel[1, 1](x, out)
        self.assertEqual(out.tolist(), [7, 2.75, 1])

    def test_overload(self) -> None:
        def norm(x, y):
            raise NotImplementedError

        @overload(norm)
        def norm_for_kernels(x, y):
            if isinstance(x, types.Float):
                return lambda x, y: math.sqrt(x * x + y * y)
            return lambda x, y: abs(x) + abs(y)

        @cuda.jit
        def kernel(out):
            out[0] = norm(3.0, 4.0)
            out[1] = norm(-3, 4)

        out = np.zeros(2)
        kernel[1, 1](out)
        self.assertEqual(out.tolist(), [5.0, 7.0])

    def test_methods_of_arrays(self) -> None:
        """Those that the program adds, by the types of a call's arguments."""

        @overload_method(types.Array, "scaled_sum")
        def scaled_sum(array, factor, start=0):
            if array.ndim != 1:
                return None

            def implementation(array, factor, start=0):
                total = start * 1.0
                for i in range(array.size):
                    total += array[i] * factor
                return total

            return implementation

        @overload_method(types.Array, "bump")
        def bump(array, i):
            def implementation(array, i):
                array[i] += 1

            return implementation

        @cuda.jit
        def kernel(out, x):
            out[0] = x.scaled_sum(2.0)
            out[1] = x.scaled_sum(2.0, start=1)
            out.bump(3)
            out.bump(3)

        out = np.zeros(4)
        kernel[1, 1](out, np.arange(5.0))
        self.assertEqual(out.tolist(), [20.0, 21.0, 0.0, 2.0])

        @cuda.jit
        def of_two(out, x):
            out[0] = x.scaled_sum(2.0)

        with self.assertRaisesRegex(UnsupportedError, "arrays have no method 'scaled_sum'"):
            of_two[1, 1](out, np.zeros((2, 2)))

    def test_members(self) -> None:
        """Attributes and methods of numbers, records and tuples, too."""

        @overload_attribute(types.Array, "last")
        def last(array):
            return lambda array: array[array.size - 1]

        @overload_attribute(types.Float, "doubled")
        def doubled(x):
            return lambda x: x * 2

        @overload_method(types.Integer, "plus")
        def plus(x, y):
            return lambda x, y: x + y

        @overload_method(types.UniTuple, "total")
        def total(pair):
            return lambda pair: pair[0] + pair[1]

        @overload_attribute(types.Record, "product")
        def product(record):
            return lambda record: record.x * record.y

        @cuda.jit
        def kernel(out, x, points):
            i = 0
            out[0] = x.last
            out[1] = x[1].doubled
            out[2] = (i + 3).plus(4)
            out[3] = (7, 8).total()
            out[4] = points[1].product

        points = np.array([(1.0, 2.0), (3.0, 5.0)], dtype=[("x", "f8"), ("y", "f8")])
        out = np.zeros(5)
        kernel[1, 1](out, np.arange(5.0), points)
        self.assertEqual(out.tolist(), [4.0, 2.0, 7.0, 15.0, 15.0])

    def test_receivers_are_evaluated_once(self) -> None:
        @overload_method(types.Float, "same")
        def same(x):
            return lambda x: x

        @cuda.jit
        def kernel(counter, out):
            out[0] = cuda.atomic.add(counter, 0, 1.0).same()
            out[1] = cuda.atomic.add(counter, 0, 1.0).conjugate()

        counter, out = np.zeros(1), np.zeros(2)
        kernel[1, 1](counter, out)
        self.assertEqual((counter[0], out.tolist()), (2.0, [0.0, 1.0]))


class Constants(unittest.TestCase):
    def test_comparisons_of_constants(self) -> None:
        """Those of captured values choose when the kernel is compiled: the other way need not fit."""
        is_pair, size = True, 2

        @cuda.jit
        def kernel(out):
            value = (3, 4)
            if is_pair is True:
                value = value[0]
            out[0] = value
            other = (5, 6)
            if size == 2:
                other = other[1]
            out[1] = other

        out = np.zeros(2)
        kernel[1, 1](out)
        self.assertEqual(out.tolist(), [3, 6])

    def test_numbers_of_other_classes(self) -> None:
        class Mode(int):
            pass

        mode = Mode(7)

        @cuda.jit
        def kernel(out):
            out[0] = mode + 1

        out = np.zeros(1)
        kernel[1, 1](out)
        self.assertEqual(out[0], 8)


main()
