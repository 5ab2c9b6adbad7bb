"""@stencil: each result is compared with loops that call the kernel's formula at every place."""

import itertools
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numba
import numpy as np
from numba import njit, prange, stencil

WEIGHT = 3
REACH = 1


def expected(formula, array, offsets, fill, dtype):
    """The formula, a function of array and place, at all places whose neighbours are inside; `fill` elsewhere."""
    result = np.full(array.shape, fill, dtype)
    for place in itertools.product(*(range(-low, size - high) for (low, high), size in zip(offsets, array.shape))):
        result[place] = formula(array, *place)
    return result


class Stencil(unittest.TestCase):
    """All tests call a stencil several times, so that its loops get compiled."""

    def check(self, kernel, formula, array, offsets, dtype=None, fill=0, **options):
        wanted = expected(formula, array, offsets, fill, dtype or array.dtype)
        for _ in range(3):
            found = kernel(array, **options)
            np.testing.assert_array_equal(found, wanted)
            self.assertEqual(found.dtype, wanted.dtype)

    def test_dimensions(self) -> None:
        @stencil
        def right(a):
            return a[1] - a[-2]

        @stencil
        def cross(a):
            """The mean of four neighbours."""
            return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])

        @stencil
        def corner(a):
            return a[-1, 0, 2] * a[0, 1, 0] + a[0, 0, 0]

        rng = np.random.default_rng(5)
        self.check(right, lambda a, i: a[i + 1] - a[i - 2], rng.random(3000), ((-2, 1),))
        square = rng.random((60, 50))
        by_hand = lambda a, i, j: 0.25 * (a[i, j + 1] + a[i + 1, j] + a[i, j - 1] + a[i - 1, j])
        for array in square, np.asfortranarray(square), square[::2, ::-1], square.T, square[:2], square[:0], square[:1]:
            self.check(cross, by_hand, array, ((-1, 1), (-1, 1)))
        self.check(corner, lambda a, i, j, k: a[i - 1, j, k + 2] * a[i, j + 1, k] + a[i, j, k], rng.random((6, 7, 8)), ((-1, 0), (0, 1), (0, 2)))
        self.assertEqual((cross.__name__, cross.__doc__, cross.neighborhood), ("cross", "The mean of four neighbours.", ((-1, 1), (-1, 1))))

    def test_types(self) -> None:
        @stencil
        def total(a):
            return a[-1] + a[0] + a[1]

        @stencil
        def half(a):
            return 0.5 * (a[-1] + a[1])

        @stencil
        def most(a):
            return max(a[-1], a[0], a[1])

        @stencil
        def rises(a):
            return a[1] > a[0]

        numbers = np.arange(100) * 37 % 251
        for name in "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split():
            array = (numbers // 2).astype(name)
            wide = array.astype(np.int64) if array.dtype.kind in "iu" else array
            sums = {"i": np.int64, "u": np.uint64}.get(array.dtype.kind, array.dtype)
            self.check(total, lambda a, i: wide[i - 1] + wide[i] + wide[i + 1], array, ((-1, 1),), sums)
            self.check(half, lambda a, i: 0.5 * (float(a[i - 1]) + float(a[i + 1])), array, ((-1, 1),), np.float64)
            self.check(most, lambda a, i: a[i - 1 : i + 2].max(), array, ((-1, 1),))
            self.check(rises, lambda a, i: a[i + 1] > a[i], array, ((0, 1),), np.bool_)
        flags = numbers % 3 == 0
        self.check(total, lambda a, i: a[i - 1 : i + 2].sum(), flags, ((-1, 1),), np.int64)
        self.check(total, lambda a, i: a[i - 1] + a[i] + a[i + 1], numbers * (1 + 2j), ((-1, 1),))

    def test_border(self) -> None:
        def behind(a):
            return a[-1]

        array = np.arange(6.0)
        self.check(stencil(behind, cval=1.5), lambda a, i: a[i - 1], array, ((-1, 0),), fill=1.5)
        self.check(stencil(cval=7.9)(behind), lambda a, i: a[i - 1], np.arange(6), ((-1, 0),), fill=7)
        self.check(stencil("constant", cval=np.nan)(behind), lambda a, i: a[i - 1], array, ((-1, 0),), fill=np.nan)
        self.check(stencil(neighborhood=((-2, 1),))(behind), lambda a, i: a[i - 1], array, ((-2, 1),))
        out = np.full(6, 9.0)
        self.assertIs(stencil(behind)(array, out=out), out)
        np.testing.assert_array_equal(out, [9, 0, 1, 2, 3, 4])
        np.testing.assert_array_equal(stencil(behind, cval=2)(array, out=out), [2, 0, 1, 2, 3, 4])
        whole = np.zeros(6, np.int64)
        np.testing.assert_array_equal(stencil(behind)(array + 0.75, out=whole), [0, 0, 1, 2, 3, 4])
        np.testing.assert_array_equal(stencil(behind)(out, out=out), [2] * 6)  # each place sees what was stored before

    def test_neighborhood(self) -> None:
        @stencil(neighborhood=((-2, 2),))
        def mean(a):
            total = 0.0
            for i in range(-2, 3):
                total += a[i]
            return total / 5

        @stencil(neighborhood=((-1, 1), (-1, 1)))
        def alive(a):
            count = 0
            for i in range(-1, 2):
                for j in range(-1, 2):
                    if i != 0 or j != 0:
                        count += a[i, j]
            if a[0, 0] == 1:
                return 1 if 2 <= count <= 3 else 0
            return 1 if count == 3 else 0

        @stencil(neighborhood=((-1, 1),))
        def median(a):
            return np.median(a[-1:2])

        def five(a, i):
            total = 0.0
            for k in range(-2, 3):
                total += a[i + k]
            return total / 5

        def lives(a, i, j):
            count = a[i - 1 : i + 2, j - 1 : j + 2].sum() - a[i, j]
            return count == 3 or (count == 2 and a[i, j] == 1)

        rng = np.random.default_rng(6)
        self.check(mean, five, rng.random(2000), ((-2, 2),))
        self.check(alive, lives, rng.integers(0, 2, (40, 40)), ((-1, 1), (-1, 1)))
        self.check(median, lambda a, i: np.median(a[i - 1 : i + 2]), rng.random(50), ((-1, 1),))

    def test_several_arguments(self) -> None:
        @stencil(standard_indexing=("weights",))
        def weighted(a, weights, scale):
            return scale * (a[-1] * weights[0] + a[0] * weights[1])

        @stencil
        def difference(a, b):
            return a[0] - b[1]

        array, weights = np.arange(50.0), np.array([10.0, 100.0])
        self.check(lambda a: weighted(a, weights, 2), lambda a, i: 2 * (a[i - 1] * 10 + a[i] * 100), array, ((-1, 0),))
        self.check(lambda a: weighted(a, scale=2, weights=weights), lambda a, i: 2 * (a[i - 1] * 10 + a[i] * 100), array, ((-1, 0),))
        self.check(lambda a: difference(a, np.arange(60.0)), lambda a, i: -1.0, array, ((0, 1),))
        with self.assertRaisesRegex(ValueError, "Secondary stencil array has some dimension smaller"):
            difference(array, array[:-1])

    def test_constant_indices(self) -> None:
        reach = 2

        @stencil
        def named(a):
            near = -1
            return a[near] + WEIGHT * a[REACH] + a[reach] + a[1 - 3]

        self.check(named, lambda a, i: a[i - 1] + 3 * a[i + 1] + a[i + 2] + a[i - 2], np.arange(40.0), ((-2, 2),))

    def test_kernels_of_many_shapes(self) -> None:
        def helper(view):
            return view[-1] + view[1]

        @stencil(neighborhood=((-1, 1),))
        def passes_on(a):
            return helper(a) + len(a)

        @stencil
        def keeps_nothing(a):
            if a[0] > 2:
                extra = 10
            else:
                extra = 20
            return a[-1] + extra

        @stencil
        def rebinds(a, n):
            n = n + a[-1]
            return n

        @stencil
        def mixed(a):
            return str(a[0]).count("1") if a[0] < 15 else float(a[-1])

        array = np.arange(20)
        self.check(passes_on, lambda a, i: a[i - 1] + a[i + 1] + 20, array, ((-1, 1),))
        self.check(keeps_nothing, lambda a, i: a[i - 1] + (10 if a[i] > 2 else 20), array, ((-1, 0),))
        self.check(lambda a: rebinds(a, 1), lambda a, i: 1 + a[i - 1], array, ((-1, 0),))
        self.check(mixed, lambda a, i: str(a[i]).count("1") if i < 15 else float(a[i - 1]), array, ((-1, 0),), np.float64)

    def test_in_compiled_functions(self) -> None:
        @stencil
        def smooth(u):
            return u[0] + 0.25 * (u[-1] - 2 * u[0] + u[1])

        @njit(parallel=True)
        def steps(u, count):
            for _ in prange(count):
                u = smooth(u)
            return u

        @njit
        def nested(u):
            return stencil(lambda u: u[1] * 2)(u)

        u = np.random.default_rng(7).random(200)
        wanted = u
        for _ in range(20):
            wanted = expected(lambda u, i: u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]), wanted, ((-1, 1),), 0, np.float64)
        np.testing.assert_array_equal(steps(u, 20), wanted)
        for _ in range(5):
            np.testing.assert_array_equal(nested(u)[:-1], u[1:] * 2)

    def test_errors(self) -> None:
        def variable(a, n):
            return a[n]

        with self.assertRaisesRegex(numba.errors.NumbaValueError, "'neighborhood' option required"):
            stencil(variable)(np.arange(3), 1)
        with self.assertRaisesRegex(numba.errors.NumbaValueError, "Unsupported mode style wrap"):
            stencil("wrap")
        with self.assertRaisesRegex(numba.errors.NumbaValueError, "Unknown stencil option border"):
            stencil(border=1)
        with self.assertRaisesRegex(numba.errors.NumbaValueError, "1 dimensional neighborhood specified for 2 dimensional"):
            stencil(variable, neighborhood=((0, 1),))(np.zeros((2, 2)), 1)
        with self.assertRaisesRegex(numba.errors.NumbaValueError, "Standard indexing requested for an array name not present"):
            stencil(variable, standard_indexing=["b"])
        with self.assertRaises(TypeError):
            stencil(variable)(np.arange(3))

    def test_without_a_file(self) -> None:
        program = "import numba, numpy; print(numba.stencil(lambda a: a[-1] + a[1])(numpy.arange(5)))"
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((found.stdout, found.stderr), ("[0 2 4 6 0]\n", ""))


if __name__ == "__main__":
    main()
