"""@vectorize: types, casting and the methods of ufuncs, compared with NumPy's own ufuncs; small arrays and large ones, which are kernels."""

import math
import pickle
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import boolean, complex128, float32, float64, int32, int64, njit, uint8, vectorize

BY_VALUE = int(np.__version__.partition(".")[0]) < 2  # whether numbers beside arrays have the least type that holds them
TYPES = [int32(int32, int32), int64(int64, int64), float32(float32, float32), float64(float64, float64)]


@vectorize(TYPES)
def add(x, y):
    """Adds."""
    return x + y


@vectorize([int64(int64, int64)], identity=1)
def multiply(x, y):
    return x * y


class Vectorize(unittest.TestCase):
    def same(self, found, wanted) -> None:
        np.testing.assert_array_equal(found, wanted)
        self.assertEqual((type(found), found.dtype, found.shape), (type(wanted), wanted.dtype, wanted.shape))

    def test_attributes(self) -> None:
        self.assertEqual(add.types, ["ii->i", "ll->l", "ff->f", "dd->d"])
        self.assertEqual((add.nin, add.nout, add.nargs, add.ntypes, add.identity, add.signature), (2, 1, 3, 4, None, None))
        self.assertEqual((add.__name__, add.__doc__, repr(add)), ("add", "Adds.", "<numba._DUFunc 'add'>"))
        self.assertEqual((multiply.identity, pickle.loads(pickle.dumps(add)) is add), (1, True))
        for target in "cpu", "parallel":
            self.assertEqual(vectorize("int64(int64, int64)", target=target, nopython=True, cache=True)(lambda x, y: x * y)(2, 3), 6)
        self.assertEqual(vectorize([(int64, int64)])(lambda x, y: x * y)(2, 3), 6)
        with self.assertRaisesRegex(ValueError, "Invalid identity value 'two'"):
            vectorize(TYPES, identity="two")(lambda x, y: x)
        with self.assertRaisesRegex(ValueError, "Unsupported target: moon"):
            vectorize(TYPES, target="moon")

    def test_types_of_calls(self) -> None:
        for size in 6, 3000:
            a = np.arange(size)
            for kind in np.int32, np.int64, np.float32, np.float64:
                self.same(add(a.astype(kind), a.astype(kind)), a.astype(kind) * 2)
            self.same(add(a.astype(np.float32), 2.5), (a + 2.5).astype(np.float32))
            self.same(add(a.astype(np.float32), 2), (a + 2).astype(np.float32))
            self.same(add(a.astype(np.int16), 3), (a + 3).astype(np.int32))
            self.same(add(a.astype(np.int32), 3.5), a + 3.5)
            self.same(add(a.astype(np.uint64), a.astype(np.uint64)), a * 2.0)
            self.same(add(a.tolist(), a.tolist()), a * 2)
            for wrong in a * 1j, np.full(size, "text"):
                with self.assertRaisesRegex(TypeError, "ufunc 'add' not supported for the input types"):
                    add(wrong, a)
        for arguments, wanted in (((1, 2), np.int64(3)), ((1, 2.5), np.float64(3.5)), ((True, False), np.int32(1)),
                                  ((np.float32(1), 2.0), (np.float64 if BY_VALUE else np.float32)(3)), ((np.array(3), 1), np.int64(4))):
            self.same(add(*arguments), wanted)

    def test_numbers_beside_arrays(self) -> None:
        """They have no type of their own only beside arrays of their kind or a higher one."""
        @vectorize([uint8(uint8, uint8), float64(float64, float64)])
        def total(x, y):
            return x + y

        for size in 6, 3000:
            a = np.arange(size) % 100
            for kind in np.int8, np.int16, np.uint8:
                self.same(add(a.astype(kind), 2.5), a + 2.5)
            self.same(add(a > 1, 3), (a > 1) + 3)
            self.same(add(a.astype(np.float32), True), (a + 1).astype(np.float32))
            self.same(add(a.astype(np.float32), np.float64(1)), (a + 1).astype(np.float32) if BY_VALUE else a + 1.0)
            self.same(total(a.astype(np.uint8), 250), a.astype(np.uint8) + np.uint8(250))
            self.same(total(a.astype(np.uint8), 2.5), a + 2.5)
            if BY_VALUE:
                self.same(total(a.astype(np.uint8), 300), a + 300.0)
            else:
                for wrong in 300, -1:
                    with self.assertRaisesRegex(OverflowError, f"Python integer {wrong} out of bounds for uint8"):
                        total(a.astype(np.uint8), wrong)

    def test_first_signature_that_fits(self) -> None:
        @vectorize([float64(float64, float64), int64(int64, int64)])
        def divide(x, y):
            return x / y

        @vectorize([float32(float32, float32, float32)])
        def clip(x, low, high):
            return min(max(x, low), high)

        for size in 6, 3000:
            a = np.arange(size)
            self.same(divide(a, 4), a / 4)
            out = np.zeros(size, np.int64)
            self.assertIs(divide(a, 4, out=out), out)
            self.same(out, a // 4)
            self.same(clip(a.astype(np.float32), 1.0, 3.0), np.clip(a, 1, 3).astype(np.float32))
            with self.assertRaises(TypeError):
                clip(a.astype(np.float64), 1.0, 3.0)

    def test_results_are_cast(self) -> None:
        @vectorize([uint8(uint8)])
        def increase(x):
            return x + 1

        @vectorize([int32(float64)])
        def whole(x):
            return x * 1.5

        @vectorize([boolean(float64)])
        def positive(x):
            return x > 0

        @vectorize([complex128(complex128)])
        def square(x):
            return x * x

        for size in 6, 3000:
            a = np.arange(size) - 2
            self.same(increase(a.astype(np.uint8)), (a + 1).astype(np.uint8))
            self.same(whole(a), np.trunc(a * 1.5).astype(np.int32))
            self.same(positive(a), a > 0)
            self.same(square(a * (1 + 2j)), (a * (1 + 2j)) ** 2)
        self.same(positive(2.0), np.True_)
        self.same(square(1 + 1j), np.complex128(2j))

    def test_options(self) -> None:
        for size in 6, 3000:
            a = np.arange(size)
            out = np.full(size, 7)
            self.assertIs(add(a, a, where=a > 2, out=out), out)
            self.same(out, np.where(a > 2, a * 2, 7))
            for kind in np.float32, np.float64:
                self.same(add(a, a, dtype=kind), (a * 2).astype(kind))
            for given in np.zeros(size), (np.zeros(size, np.int64),):
                self.same(add(a, a, out=given), (a * 2).astype(given[0].dtype))
            self.same(add(a, a, np.zeros(size, np.int64)), a * 2)
            with self.assertRaisesRegex(TypeError, "Cannot cast ufunc 'add' output from dtype\\('float64'\\) to dtype\\('int64'\\)"):
                add(a, a * 1.0, out=np.zeros(size, np.int64))
            self.same(add(a, a * 1.0, out=np.zeros(size, np.int64), casting="unsafe"), a * 2)
            self.same(add(a, a, sig="dd->d"), a * 2.0)
            self.same(add(a, a, signature=("d", "d", "d")), a * 2.0)
            with self.assertRaisesRegex(ValueError, "could not be broadcast together"):
                add(a, a[:3])
        with self.assertRaisesRegex(TypeError, r"add\(\) takes from 2 to 3 positional arguments but 1 was given"):
            add(1)
        with self.assertRaises(TypeError):
            add(1, 2, unknown=3)
        masked = add(np.ma.array([1, 2, 3], mask=[0, 1, 0]), 1)
        self.assertEqual((type(masked), masked.tolist()), (np.ma.MaskedArray, [2, None, 4]))

    def test_reduce(self) -> None:
        grid = np.arange(12).reshape(3, 4)
        for axis in 0, 1, -1:
            self.same(add.reduce(grid, axis=axis), np.add.reduce(grid, axis=axis))
            self.same(add.accumulate(grid, axis=axis), np.add.accumulate(grid, axis=axis))
            self.same(add.reduceat(grid, [0, 2, 1], axis=axis), np.add.reduceat(grid, [0, 2, 1], axis=axis))
        self.same(add.reduce(grid), grid.sum(0))
        self.same(add.reduce(grid, keepdims=True), grid.sum(0, keepdims=True))
        self.same(add.reduce(grid[0], initial=100), np.int64(106))
        self.same(add.reduce(grid[0], where=grid[0] > 1, initial=0), np.int64(5))
        self.same(add.reduce(grid, dtype=np.float64), grid.sum(0) * 1.0)
        self.same(add.reduce(grid.astype(np.int16)), grid.sum(0).astype(np.int32))
        self.same(add.reduce(grid, out=np.zeros(4)), grid.sum(0) * 1.0)
        tenth = np.full(1000, 0.1, np.float32)
        self.same(add.accumulate(tenth), np.add.accumulate(tenth))  # rounded after each addition
        self.same(add.reduce(np.full(3, 2**31 - 1, np.int32)), np.int32(2**31 - 3))
        self.same(multiply.reduce(np.array([], int)), np.int64(1))
        self.same(multiply.reduce(grid + 1, axis=(0, 1)), np.multiply.reduce(grid + 1, axis=(0, 1)))
        self.same(multiply.reduce(grid + 1, axis=None), np.multiply.reduce(grid + 1, axis=None))
        with self.assertRaisesRegex(ValueError, "reduction operation 'add' is not reorderable"):
            add.reduce(grid, axis=(0, 1))
        with self.assertRaisesRegex(ValueError, "zero-size array to reduction operation add which has no identity"):
            add.reduce(grid[:0])
        with self.assertRaisesRegex(ValueError, "reduce only supported for binary functions"):
            vectorize([int64(int64)])(lambda x: x).reduce(grid)

    def test_outer_and_at(self) -> None:
        self.same(add.outer([1, 2], [3, 4.5]), np.add.outer([1, 2], [3, 4.5]))
        self.same(add.outer(np.ones((2, 3)), np.ones((4, 5))), np.full((2, 3, 4, 5), 2.0))
        found, wanted = np.arange(5), np.arange(5)
        self.assertIsNone(add.at(found, [0, 0, 1], 10))
        np.add.at(wanted, [0, 0, 1], 10)
        self.same(found, wanted)
        add.at(found, [0, 0, 4], [1, 2, 3])
        np.add.at(wanted, [0, 0, 4], [1, 2, 3])
        self.same(found, wanted)

    def test_without_signature(self) -> None:
        @vectorize(identity=0)
        def lazy(x, y):
            return x + y

        self.assertEqual(lazy.types, [])
        for size in 6, 3000:
            a = np.arange(size)
            self.same(lazy(a, a), a * 2)
            self.same(lazy(a.astype(np.float32), a.astype(np.float32)), (a * 2).astype(np.float32))
            self.same(lazy(a, 0.5), a + 0.5)
            self.same(lazy(a, a, dtype=np.float64), a * 2.0)
        self.assertEqual(lazy.types, ["ll->l", "ff->f", "ld->d"])
        self.same(lazy(1, 2.5), np.float64(3.5))
        self.same(lazy.reduce(np.zeros(0)), np.float64(0))
        self.same(lazy.accumulate(np.arange(5)), np.add.accumulate(np.arange(5)))

    def test_types_of_earlier_calls(self) -> None:
        """Without signatures a call takes the first types of earlier ones that NumPy casts to."""
        @vectorize
        def product(x, y):
            return x * y

        @vectorize
        def quotient(x, y):
            return x / y

        for size in 6, 3000:
            a = np.arange(size)
            for arguments, wanted, types in (((3, 4), np.int64(12), ["ll->l"]), ((1.0, 2.0), np.float64(2), ["ll->l", "dd->d"]),
                                             ((1, 2.0), np.float64(2), ["ll->l", "dd->d"]), ((a.astype("f4"), a), a * a * 1.0, ["ll->l", "dd->d"]),
                                             ((a.astype("i2"), 3), a * 3, ["ll->l", "dd->d"])):
                self.same(product(*arguments), wanted)
                if size == 6:
                    self.assertEqual(product.types, types)
            self.same(product(a, 1j), a * 1j)
            self.same(quotient(1.0, 4.0), np.float64(0.25))
            self.same(quotient(a, 4), a / 4)
        self.assertEqual((product.types, quotient.types), (["ll->l", "dd->d", "lD->D"], ["dd->d"]))

    def test_exceptions_and_divisions(self) -> None:
        @vectorize([float64(float64)])
        def inverse(x):
            return 1 / x

        @vectorize([int64(int64)])
        def checked(x):
            if x == 5:
                raise ValueError("five")
            return x

        for size in 6, 3000:
            self.assertEqual(inverse(np.arange(size * 1.0))[:3].tolist(), [np.inf, 1, 0.5])
            with self.assertRaisesRegex(ValueError, "five"):
                checked(np.arange(size))
            self.same(checked(np.arange(size) + 6), np.arange(size) + 6)

    def test_where_python_raises_and_a_machine_does_not(self) -> None:
        cases = {"logarithm": lambda x: math.log(x), "root": lambda x: math.sqrt(x - 1), "power": lambda x: (x - 1) ** 0.5,
                 "growth": lambda x: math.exp(x * 1000), "overflow": lambda x: 10.0 ** (x * 400), "arc": lambda x: math.acos(x * 2)}
        wanted = {"logarithm": [-np.inf, 0], "root": [np.nan, 0], "power": [np.nan, 0], "growth": [1, np.inf], "overflow": [1, np.inf],
                  "arc": [math.acos(0), np.nan]}
        for name, function in cases.items():
            for made in vectorize([float64(float64)])(function), vectorize(function):
                with self.subTest(name):
                    for size in 2, 3000:
                        self.same(made(np.arange(size * 1.0))[:2], np.array(wanted[name], float))
                    self.same(made(1.0), np.float64(wanted[name][1]))
                    self.same(made(np.arange(2.0), out=np.full(2, 7.0), where=np.array([True, False])), np.array([wanted[name][0], 7.0]))
                    changed = np.arange(2.0)
                    made.at(changed, [0, 1])
                    self.same(changed, np.array(wanted[name], float))

    def test_methods_where_python_raises(self) -> None:
        @vectorize([float64(float64, float64)])
        def quotient(x, y):
            return x / y

        self.same(quotient.reduce(np.array([1.0, 0.0])), np.float64(np.inf))
        self.same(quotient.accumulate(np.array([1.0, 0.0, 2.0])), np.array([1, np.inf, np.inf]))
        self.same(quotient.outer(np.array([1.0, 0.0]), np.array([0.0])), np.array([[np.inf], [np.nan]]))

    def test_in_compiled_functions(self) -> None:
        @njit
        def several(x, rounds):
            for _ in range(rounds):
                x = add(x, add(x, 1))
            return x

        wanted = np.arange(6)
        for _ in range(20):
            wanted = wanted + (wanted + 1)
        self.same(several(np.arange(6), 20), wanted)


if __name__ == "__main__":
    main()
