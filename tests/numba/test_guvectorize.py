"""@guvectorize: layouts, types and results, on small arrays and on large ones, which are kernels."""

import math
import pickle
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import float64, guvectorize, int64, njit, void


@guvectorize([(int64[:], int64, int64[:]), void(float64[:], float64, float64[:])], "(n),()->(n)")
def shift(x, y, result):
    """Shifts."""
    for i in range(x.shape[0]):
        result[i] = x[i] + y


class Guvectorize(unittest.TestCase):
    def same(self, found, wanted) -> None:
        np.testing.assert_array_equal(found, wanted)
        self.assertEqual((type(found), found.dtype, found.shape), (type(wanted), wanted.dtype, wanted.shape))

    def test_attributes(self) -> None:
        self.assertEqual((shift.signature, shift.nin, shift.nout, shift.nargs, shift.ntypes, shift.types, shift.identity),
                         ("(n),()->(n)", 2, 1, 3, 2, ["ll->l", "dd->d"], None))
        self.assertEqual((shift.__name__, shift.__doc__, repr(shift)), ("shift", "Shifts.", "<numba._GUFunc 'shift'>"))
        self.assertIs(pickle.loads(pickle.dumps(shift)), shift)

    def test_types_asked_for(self) -> None:
        for rows in 2, 900:
            grid = np.arange(rows * 3).reshape(rows, 3)
            asked = ({"dtype": np.float64}, {"signature": "dd->d"}, {"sig": ("d", np.float64, float)}, {"signature": (None, None, "d")})
            for keywords in asked:
                self.same(shift(grid, 1, **keywords), grid + 1.0)
            self.same(shift(grid, 1, dtype=None), grid + 1)
            self.same(shift(grid * 1.5, 1, dtype=np.int64, casting="unsafe"), (grid * 1.5).astype(np.int64) + 1)
            narrow = np.zeros(grid.shape, np.float32)
            self.same(shift(grid, 1, narrow, dtype=np.float64), (grid + 1).astype(np.float32))

    def test_types_that_cannot_be_had(self) -> None:
        grid = np.arange(6).reshape(2, 3)
        none = "No loop matching the specified signature and casting was found for ufunc shift"
        for text, keywords in ((none, {"dtype": np.int32}), (none, {"signature": "ii->i"}),
                               ("Use `dtype`", {"signature": "d"}),
                               ("cannot specify both 'signature' and 'dtype'", {"dtype": float, "signature": "dd->d"}),
                               ("cannot specify both 'sig' and 'signature'", {"sig": "dd->d", "signature": "dd->d"})):
            with self.assertRaisesRegex(TypeError, text):
                shift(grid, 1, **keywords)
        with self.assertRaisesRegex(ValueError, r"a type-string for shift, 2 typecode\(s\) before and 1 after the -> sign"):
            shift(grid, 1, signature="dd")
        with self.assertRaisesRegex(TypeError, r"Cannot cast ufunc 'shift' input 0 from dtype\('float64'\) to dtype\('int64'\)"):
            shift(grid * 1.5, 1, dtype=np.int64)
        with self.assertRaisesRegex(TypeError, r"Cannot cast ufunc 'shift' output from dtype\('float64'\) to dtype\('int64'\)"):
            shift(grid, 1, np.zeros((2, 3), np.int64), dtype=np.float64)

    def test_types_and_dimensions(self) -> None:
        for rows in 2, 900:
            grid = np.arange(rows * 3).reshape(rows, 3)
            self.same(shift(grid[0], 2), grid[0] + 2)
            self.same(shift(grid, 10), grid + 10)
            self.same(shift(grid, np.arange(rows)), grid + np.arange(rows)[:, None])
            self.same(shift(grid, 2.5), grid + 2.5)
            self.same(shift(grid.astype(np.float32), 1), grid + 1.0)
            self.same(shift(grid.astype(np.int32), 1), grid + 1)
            self.same(shift(grid.T, 1), grid.T + 1)
            self.same(shift(grid[:, ::2], 1), grid[:, ::2] + 1)
            self.same(shift(grid[0], np.arange(rows)), grid[0] + np.arange(rows)[:, None])
            self.same(shift(grid[:0], 1), grid[:0])
            self.same(shift(grid, 2, axis=0), grid + 2)
            self.same(shift(grid, np.arange(3), axes=[(0,), (), (0,)]), grid + np.arange(3))
        self.same(shift([1, 2], 3), np.array([4, 5]))

    def test_out(self) -> None:
        for rows in 2, 900:
            grid = np.arange(rows * 3).reshape(rows, 3)
            for kind in np.int64, np.int32, np.float64:
                for call in lambda out: shift(grid, 2, out), lambda out: shift(grid, 2, out=out), lambda out: shift(grid, 2, out=(out,)):
                    out = np.zeros(grid.shape, kind)
                    self.assertIs(call(out), out)
                    self.same(out, (grid + 2).astype(kind))
            wide = np.zeros((rows, 6), np.int64)
            shift(grid, 1, out=wide[:, ::2])
            self.same(wide[:, ::2], grid + 1)
            with self.assertRaisesRegex(TypeError, "Cannot cast ufunc 'shift' output from dtype\\('float64'\\) to dtype\\('int64'\\)"):
                shift(grid, 2.5, out=np.zeros(grid.shape, np.int64))

    def test_out_of_fewer_dimensions(self) -> None:
        """Only those of length 1 may be missing."""
        for size in 5, 3000:
            row = np.arange(size)
            for outer, own in ((1,), ()), ((1, 1), ()), ((1, 1), (1,)), ((), (4,)), ((1,), (4,)):
                out = np.zeros((*own, size), np.int64)
                self.assertIs(shift(np.broadcast_to(row, (*outer, size)), 1, out), out)
                self.same(out, np.broadcast_to(row + 1, (*own, size)).copy())
            for outer, own in ((3,), ()), ((3,), (1,)), ((2, 1), (1,)), ((2, 3), (2, 1)):
                with self.assertRaises(ValueError):
                    shift(np.zeros((*outer, size), np.int64), 1, np.zeros((*own, size), np.int64))

    def test_several_results(self) -> None:
        @guvectorize([(float64[:], float64[:], float64[:])], "(n)->(),()")
        def extremes(x, low, high):
            low[0] = x.min()
            high[0] = x.max()

        grid = np.arange(6.0).reshape(2, 3)
        low, high = extremes(grid)
        self.same(low, grid.min(1))
        self.same(high, grid.max(1))
        self.assertEqual((extremes.nout, extremes(grid[0])), (2, (0.0, 2.0)))

    def test_layouts(self) -> None:
        @guvectorize([(int64[:], int64[:], int64[:])], "(n),(m)->(n)", target="parallel", nopython=True)
        def lengths(x, y, result):
            for i in range(len(x)):
                result[i] = x[i] * len(y)

        @guvectorize([(int64[:], int64[:], int64[:])], "(n),()->()")
        def count(x, wanted, result):
            result[0] = 0
            for value in x:
                if value == wanted[0]:
                    result[0] += 1

        @guvectorize([(float64[:], float64[:])], "(n)->(n)", writable_args=(0,))
        def changes(x, result):
            x[0] = 99
            result[:] = x

        grid = np.arange(6).reshape(2, 3)
        self.same(lengths(np.arange(5), grid), np.array([np.arange(5) * 3] * 2))
        self.same(lengths(grid, np.arange(5)), grid * 5)
        self.assertEqual((count(np.arange(5), 3), count(grid % 2, 1).tolist()), (1, [1, 2]))
        for rows in 2, 900:
            given = np.zeros((rows, 3))
            self.same(changes(given), np.array([[99.0, 0, 0]] * rows))
            self.same(given, np.array([[99.0, 0, 0]] * rows))

    def test_arguments_that_are_written(self) -> None:
        """They get what was written to a copy with the signature's types."""
        for written in (0,), ("x",):
            @guvectorize([(float64[:], float64[:])], "(n)->(n)", writable_args=written)
            def grows(x, result):
                for i in range(1, x.shape[0]):
                    x[i] += x[i - 1]
                result[:] = x * 2

            for rows in 2, 900:
                for kind in np.float64, np.float32, np.int64:
                    given = np.ones((rows, 4), kind)[:, ::2]
                    self.same(grows(given), np.array([[2.0, 4.0]] * rows))
                    np.testing.assert_array_equal(given, [[1, 2]] * rows)
        with self.assertRaises(ValueError):
            grows(np.broadcast_to(np.ones(3), (2, 3)))

    def test_without_signature(self) -> None:
        @guvectorize("(n),()->(n)")
        def lazy(x, y, result):
            for i in range(x.shape[0]):
                result[i] = x[i] + y

        out = np.zeros(5, np.int64)
        self.assertIs(lazy(np.arange(5), 2, out), out)
        self.same(out, np.arange(5) + 2)
        self.same(lazy(np.arange(5.0), 2.5, np.zeros(5)), np.arange(5) + 2.5)
        self.assertEqual(lazy.types, ["ll->l", "dd->d"])
        self.same(lazy(np.arange(5, dtype=np.float32), 2, np.zeros(5, np.float32)), np.arange(2, 7, dtype=np.float32))
        self.same(lazy(np.arange(5, dtype=np.int16), 2, np.zeros(5, np.int16)), np.arange(2, 7, dtype=np.int16))
        self.assertEqual(lazy.types, ["ll->l", "dd->d"])
        with self.assertRaisesRegex(TypeError, "Too few arguments for function 'lazy'"):
            lazy(np.arange(5), 2)

    def test_in_compiled_functions(self) -> None:
        @njit
        def many(x, rounds):
            result = np.zeros_like(x)
            for _ in range(rounds):
                shift(x, 1, result)
                x = shift(result, 1)
            return x

        self.same(many(np.arange(4), 50), np.arange(4) + 100)

    def test_narrower_types_for_gpus(self) -> None:
        """With this target numba casts to types that hold less."""
        @guvectorize(["void(int32, int32[:], int32[:])"], "(),(t)->(t)", target="cuda")
        def scaled(a, b, out):
            for i in range(b.size):
                out[i] = a * b[i]

        self.same(scaled(np.int64(2), np.arange(10, dtype=np.int32)), np.arange(0, 20, 2, dtype=np.int32))
        self.same(scaled(np.array([2, 3]), np.arange(4).reshape(2, 2)), np.array([[0, 2], [6, 9]], np.int32))
        with self.assertRaises(TypeError):
            scaled(np.int8(2), np.arange(10) * 1j)

    def test_errors(self) -> None:
        with self.assertRaisesRegex(ValueError, r"shift: Input operand 0 does not have enough dimensions \(has 0, gufunc core with "
                                    r"signature \(n\),\(\)->\(n\) requires 1\)"):
            shift(3, 2)
        with self.assertRaisesRegex(ValueError, r"shift: Output operand 0 has a mismatch in its core dimension 0, with gufunc signature "
                                    r"\(n\),\(\)->\(n\) \(size 4 is different from 5\)"):
            shift(np.arange(5), 2, np.zeros(4))
        with self.assertRaisesRegex(TypeError, r"shift\(\) takes from 2 to 3 positional arguments but 1 was given"):
            shift(np.arange(5))
        with self.assertRaisesRegex(TypeError, "ufunc 'shift' not supported for the input types"):
            shift(np.arange(5) * 1j, 2)
        with self.assertRaises(ValueError):
            shift(np.zeros((2, 3)), np.arange(3))
        with self.assertRaisesRegex(NameError, "undefined output symbols: m"):
            guvectorize([(int64[:], int64[:])], "(n)->(m)")(lambda x, result: None)
        for wrong in "(n)>(n)", "(n,3)->(n)", "(n)->(3)":
            with self.assertRaises(ValueError):
                guvectorize([(int64[:], int64[:])], wrong)(lambda x, result: None)
        with self.assertRaisesRegex(TypeError, "Signature mismatch: 2 argument types given, but function takes 1 arguments"):
            guvectorize([(int64[:], int64[:])], "(n)->(n)")(lambda x: None)

    def test_where_python_raises_and_a_machine_does_not(self) -> None:
        @guvectorize([(float64[:], float64[:])], "(n)->()")
        def mean(x, result):
            total = 0.0
            for value in x:
                total += value
            result[0] = total / len(x)

        @guvectorize([(float64[:], float64[:])], "(n)->(n)")
        def root(x, result):
            for i in range(len(x)):
                result[i] += math.sqrt(x[i])

        @guvectorize([(float64[:], float64[:])], "(n)->(n)")
        def refused(x, result):
            for i in range(len(x)):
                result[i] = x[i]
                if x[i] > 1:
                    raise ValueError("math domain error")

        for rows in 2, 900:
            self.same(mean(np.zeros((rows, 0))), np.full(rows, np.nan))
            self.same(root(np.tile([4.0, -1.0], (rows, 1)), np.ones((rows, 2))), np.tile([3.0, np.nan], (rows, 1)))
            with self.assertRaisesRegex(ValueError, "math domain error"):
                refused(np.tile([0.0, 1.0, 2.0], (rows, 1)))
        given = np.full(3, 7.0)
        with self.assertRaises(ValueError):
            refused(np.arange(1.0, 4.0), given)
        self.same(given, np.array([1.0, 2.0, 7.0]))

    def test_dimensions_kept(self) -> None:
        @guvectorize([(float64[:], float64[:])], "(n)->()")
        def total(x, result):
            result[0] = 0.0
            for i in range(len(x)):
                result[0] += x[i]

        for rows in 2, 900:
            grid = np.arange(rows * 3.0).reshape(rows, 3)
            self.same(total(grid, keepdims=True), grid.sum(1, keepdims=True))
            self.same(total(grid, axis=0, keepdims=True), grid.sum(0, keepdims=True))
            self.same(total(grid, axis=-1, keepdims=False), grid.sum(1))
            out = np.zeros((rows, 1))
            self.assertIs(total(grid, out=out, keepdims=True), out)
            self.same(out, grid.sum(1, keepdims=True))
        with self.assertRaisesRegex(TypeError, "shift does not support keepdims"):
            shift(np.arange(3), 1, keepdims=True)


if __name__ == "__main__":
    main()
