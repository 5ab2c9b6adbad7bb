"""What kernels take of NumPy beside its ufuncs: flat and places of any array, new axes, functions of numbers and arrays."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32
from numba.core.errors import RequireLiteralValue, TypingError, UnsupportedError


def launch(kernel, size: int, *arguments) -> list:
    """The first argument of a launch with one thread: an array of so many elements."""
    out = np.zeros(size)
    cuda.jit(kernel)[1, 1](out, *arguments)
    return out.tolist()


def arrays():
    base = np.arange(24.0).reshape(4, 6)
    return base, base[::2, ::3], base.T, base[::-1], base[:, 2], np.arange(60).reshape(3, 4, 5)[:, 1:3, ::-2], np.asfortranarray(base)


class Flat(unittest.TestCase):
    def test_elements(self) -> None:
        def kernel(out, x):
            for i in range(len(x.flat)):
                out[i] = x.flat[i]
            out[x.size] = x.flat[-1]
            out[x.size + 1] = x.flat[-x.size + 1]

        for x in arrays():
            flat = list(x.flat)
            self.assertEqual(launch(kernel, x.size + 2, x), [*flat, flat[-1], flat[1]])

    def test_iteration(self) -> None:
        def kernel(out, x):
            for i, value in enumerate(x.flat):
                out[i] = value
            total = 0.0
            for value, other in zip(x.flat, x.flat):
                total += value * other
            out[x.size] = total

        for x in arrays():
            self.assertEqual(launch(kernel, x.size + 1, x), [*x.flat, sum(v * v for v in x.flat)])

    def test_stores(self) -> None:
        @cuda.jit
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x.flat[i] += 100 + i
            x.flat[-1] = 5

        for x in arrays():
            wanted = x.copy()
            for i in range(x.size):
                wanted.flat[i] += 100 + i
            wanted.flat[-1] = 5
            kernel[2, 32](x)
            np.testing.assert_array_equal(x, wanted)

    def test_refused(self) -> None:
        def kernel(out, x):
            out[0] = x.flat[0:2][0]

        with self.assertRaisesRegex(UnsupportedError, "takes an integer as index, and this is a slice"):
            launch(kernel, 1, arrays()[1])

    def test_places(self) -> None:
        def kernel(out, x):
            n = 0
            for i, j in np.ndindex(x.shape):
                out[n] = x[i, j]
                n += 1
            for place in np.ndindex(2, 3):
                out[n] = place[0] * 10 + place[1]
                n += 1
            for (i, j), value in np.ndenumerate(x):
                out[n] = i * 100 + j + value
                n += 1

        for x in arrays():
            if x.ndim == 2:
                wanted = [*x.flat, *(i * 10 + j for i, j in np.ndindex(2, 3)), *(i * 100 + j + v for (i, j), v in np.ndenumerate(x))]
                self.assertEqual(launch(kernel, 2 * x.size + 6, x), wanted)


MOVES = (
    "x[1:3] = x[0:2]", "x[0:5] = x[1:6]", "x[1:6] = x[0:5]", "x[5:0:-1] = x[4::-1]", "x[::2] = x[1::2]", "x[0:2] = x[4:6]", "x[:] = x", "x[2:2] = x[1:1]",
    "m[1:] = m[:-1]", "m[:-1] = m[1:]", "m[:, 1:] = m[:, :-1]", "m[1:, :2] = m[:-1, 2:]", "m[1:, :3] = m[:-1, 1:]", "m[:-1, 1:] = m[1:, :-1]",
    "m[::-1][1:] = m[::-1][:-1]", "m[1:, ::-1] = m[:-1, ::-1]", "m[0] = m[1]", "m[1:] = m[0]", "m[:, 1] = m[:, 0]", "m[0] = m[-1, ::-1]",
)


def assign(text: str, x, m, is_error: bool = False) -> None:
    """Runs the assignment in a kernel of one thread, and in Python unless it is an error: x and m have to be the same then."""
    scope = {}
    exec(f"def run(x, m, y):\n    {text}\n", scope)
    y = np.arange(10.0, 17)
    wanted = x.copy(), m.copy(order="K")
    if not is_error:
        scope["run"](*wanted, y)
    cuda.jit(scope["run"])[1, 1](x, m, y)
    np.testing.assert_array_equal(x, wanted[0])
    np.testing.assert_array_equal(m, wanted[1])


class Moves(unittest.TestCase):
    """Parts of an array that are assigned to others of it: as if they were copied first."""

    def run_move(self, text: str, order: str) -> None:
        assign(text, np.arange(5, 11), np.array(np.arange(12.0).reshape(3, 4), order=order))

    def test_moves(self) -> None:
        for text in MOVES:
            with self.subTest(text=text):
                self.run_move(text, "C")

    def test_refused(self) -> None:
        moves = ("x[:] = x[::-1]", "C"), ("m[:3, :3] = m.T[:3, :3]", "C"), ("m[1:, :-1] = m[:-1, 1:]", "F"), ("m[:, 1:] = m[:, :-1]", "F")
        for text, order in moves:
            with self.subTest(text=text), self.assertRaisesRegex(ValueError, "overlap, and lie differently in memory"):
                self.run_move(text, order)
        self.run_move("m[:, 2:] = m[:, :2]", "F")  # apart


class Shapes(unittest.TestCase):
    """Arrays assigned to arrays: axes of one element are stretched, other shapes refused; names do not matter where memory is shared."""

    def run_assign(self, text: str, is_error: bool = False) -> None:
        assign(text, np.arange(5.0), np.arange(12.0).reshape(3, 4), is_error=is_error)

    def test_stretched(self) -> None:
        texts = ("x[:] = y[:1]", "x[:] = y[3:4]", "x[:] = x[2:3]", "m[1:] = y[:4]", "m[:, :2] = y[5:6]", "m[2, :] = m[:1, 3]")
        for text in texts:
            with self.subTest(text=text):
                self.run_assign(text)
        for text in ("m[:] = m[1:2]", "m[:] = m[:, 1:2]"):  # some of what is read again has been stored to
            with self.subTest(text=text), self.assertRaisesRegex(ValueError, "overlap"):
                self.run_assign(text, is_error=True)

    def test_other_shapes(self) -> None:
        for text in ("x[:] = y", "x[:2] = x[:3]", "m[:] = m[:2]", "m[:, :2] = m[:, :3]", "m[:] = y[:3]"):
            with self.subTest(text=text), self.assertRaisesRegex(ValueError, "could not be broadcast"):
                self.run_assign(text, is_error=True)

    def test_other_names(self) -> None:
        for text in ("z = x[1:]; z[:] = x[:-1]", "z = x[:-1]; z[:] = x[1:]", "z = m[1]; m[1, :] = z", "z = x; z[2:] = x[:3]", "z = x[1:4]; z[:] = y[1:4]"):
            with self.subTest(text=text):
                self.run_assign(text)

    def test_of_a_block(self) -> None:
        def kernel(x):
            own = cuda.local.array(3, np.float64)
            shared = cuda.shared.array(3, np.float64)
            own[:] = x[1:4]
            shared[:] = own
            own[1:] = own[:-1]
            x[:3] = shared
            x[2:] = own

        x = np.arange(5.0)
        cuda.jit(kernel)[1, 1](x)
        self.assertEqual(x.tolist(), [1, 2, 1, 1, 2])


class NewAxes(unittest.TestCase):
    def test_views(self) -> None:
        def kernel(out, x):
            out[0] = x[np.newaxis, 1, 2][0]
            row = x[None, 1]
            out[1], out[2], out[3] = row.shape[0], row.shape[1], row[0, 3]
            column = x[1:, np.newaxis, ::2]
            out[4], out[5], out[6] = column.shape[1], column.ndim, column[1, 0, -1]
            out[7] = x[..., None][1, 2, 0]
            x[None, 0, 1] = 77
            out[8] = x[0, 1]

        x = np.arange(24.0).reshape(4, 6)
        wanted = [x[1, 2], 1, 6, x[1, 3], 1, 3, x[2, 4], x[1, 2], 77]
        self.assertEqual(launch(kernel, 9, x), wanted)

    def test_too_many_indices(self) -> None:
        def kernel(out, x):
            out[0] = x[None, 0, 0, 0][0]

        with self.assertRaisesRegex(TypingError, "has 2 dimensions, and this index has 3"):
            launch(kernel, 1, np.zeros((2, 2)))


class Functions(unittest.TestCase):
    def test_of_numbers(self) -> None:
        def kernel(out, z, f, n):
            out[0], out[1], out[2] = np.angle(z), np.angle(z, True), np.angle(-f, deg=True)
            out[3], out[4], out[5] = np.sinc(f), np.sinc(n - n), np.sinc(np.float32(0.5))
            out[6], out[7], out[8] = np.round(f), np.round(f, 1), np.around(n, -1)
            out[9], out[10] = np.round(z).imag, np.isscalar(f)
            out[11] = np.angle(n)

        z, f, n = 1.5 - 2.5j, 2.25, 17
        wanted = [np.angle(z), np.angle(z, True), 180, np.sinc(f), 1, np.sinc(0.5), 2, 2.2, 20, -2, 1, 0]
        np.testing.assert_allclose(launch(kernel, 12, z, f, n), wanted, rtol=1e-7)
        np.testing.assert_allclose(launch(kernel, 12, np.complex64(z), f, n)[0], np.angle(np.complex64(z)), rtol=1e-6)

    def test_written_ufuncs(self) -> None:
        def kernel(floats, bits, small, ints, x, y, n, m):
            for i in range(x.size):
                floats[0, i], floats[1, i], floats[2, i] = np.sign(x[i]), np.square(x[i]), np.reciprocal(x[i])
                floats[3, i], floats[4, i], floats[5, i] = np.logaddexp(x[i], y[i]), np.logaddexp2(x[i], y[i]), np.float_power(x[i], 2)
                floats[6, i], bits[i] = np.spacing(x[i]), np.signbit(x[i])
            for i in range(n.size):
                small[0, i], small[1, i] = np.square(n[i]), np.sign(n[i])
                ints[0, i], ints[1, i], ints[2, i], ints[3, i] = np.gcd(n[i], m[i]), np.lcm(n[i], m[i]), np.square(n[i]), np.reciprocal(m[i])
            np.sign(x, x)

        for kind in np.float64, np.float32:
            x, y = (np.array(values, kind) for values in ([-2.5, -0.0, 0.0, 1.25, 3, np.nan, np.inf], [2, 0, -1.5, 1.25, -7, 1, 2]))
            n, m = np.array([-7, 0, 3, 100, -12], np.int8), np.array([3, 2, -1, 40, 1], np.int64)
            floats, bits, small, ints = np.zeros((7, 7), kind), np.zeros(7, bool), np.zeros((2, 5)), np.zeros((4, 5), np.int64)
            with np.errstate(all="ignore"):
                wanted = [np.sign(x), np.square(x), np.reciprocal(x), np.logaddexp(x, y), np.logaddexp2(x, y), np.float_power(x, 2), np.spacing(x)]
                whole = [np.gcd(n, m), np.lcm(n, m), np.square(n), np.reciprocal(m)]
            signs = np.signbit(x)
            cuda.jit(kernel)[1, 1](floats, bits, small, ints, x, y, n, m)
            np.testing.assert_allclose(floats, np.array(wanted, kind), rtol=1e-15 if kind is np.float64 else 3e-7)
            self.assertEqual(bits.tolist(), signs.tolist())
            self.assertEqual(ints.tolist(), np.array(whole).tolist())
            self.assertEqual(small.tolist(), [np.square(n).tolist(), np.sign(n).tolist()])
            np.testing.assert_array_equal(x, wanted[0])

    def test_clip(self) -> None:
        def kernel(out, x, n):
            for i in range(x.size):
                out[i] = np.clip(x[i], -0.5, 0.5) + np.clip(x[i], None, 0.25) + np.clip(x[i], a_max=2, a_min=0)
            out[5], out[6], out[7] = np.clip(n, 1, 5), np.clip(n, 9, None), np.clip(n, 7.5, 8.5)

        x = np.array([-2.0, -0.25, 0.3, 9, np.nan])
        wanted = np.clip(x, -0.5, 0.5) + np.clip(x, None, 0.25) + np.clip(x, 0, 2)
        np.testing.assert_array_equal(launch(kernel, 8, x, 7), [*wanted, 5, 9, 7.5])

    def test_sides(self) -> None:
        def by_name(out, x):
            out[0] = np.searchsorted(x, 2.0, side="wrong")

        def third(out, x):
            out[0] = np.searchsorted(x, 2.0, "Right")

        for body, side in (by_name, "wrong"), (third, "Right"):
            with self.assertRaisesRegex(TypingError, f"Invalid value given for 'side': {side}"):
                launch(body, 1, np.arange(4.0))

    def test_of_arrays(self) -> None:
        def kernel(out, m, sorted_values, weights, z):
            out[0], out[1], out[2], out[3] = np.trace(m), np.trace(m, 1), np.trace(m, -2), np.trace(m, 50)
            out[4], out[5] = np.average(sorted_values), np.average(sorted_values, weights=weights)
            out[6], out[7], out[8] = np.iscomplexobj(m), np.iscomplexobj(z), np.isrealobj(m)
            out[9], out[10] = np.asarray(m)[1, 1], np.isscalar(m)

        m, values, weights = np.arange(12).reshape(3, 4), np.array([1.0, 2, 2, 5]), np.array([1.0, 0, 2, 4])
        wanted = [np.trace(m), np.trace(m, 1), np.trace(m, -2), 0, 2.5, np.average(values, weights=weights), 0, 1, 1, m[1, 1], 0]
        self.assertEqual(launch(kernel, 11, m, values, weights, np.zeros(2, complex)), wanted)

    def test_searches(self) -> None:
        def kernel(out, a, v, i):
            out[0], out[1] = np.searchsorted(a, v), np.searchsorted(a, v, side="right")
            out[2], out[3] = np.digitize(v, a), np.digitize(v, a, right=True)
            out[4], out[5] = np.digitize(v, a[::-1]), np.digitize(v, a[::-1], True)

        a = np.array([1.0, 2, 2, 3, 7, math.inf, math.nan])
        for v in 0.0, 1.0, 2.0, 2.5, 7.0, 9.0, math.inf, math.nan:
            found = launch(kernel, 6, a[:5] if v == v else a, v, 0)
            part = a[:5] if v == v else a
            self.assertEqual(found[:2], [np.searchsorted(part, v), np.searchsorted(part, v, "right")])
            if v == v:
                b = part[::-1]
                self.assertEqual(found[2:], [np.digitize(v, part), np.digitize(v, part, True), np.digitize(v, b), np.digitize(v, b, True)])

    def test_tuples(self) -> None:
        def kernel(out, x, n):
            four = (1, n) * 2
            out[0], out[1], out[2] = len(four), four[3], len((n,) * 0)
            out[3], out[4], out[5] = (4, n, 6).index(6), (n, n, 3).index(n), (n, 1, n).count(n)
            for i in range(len(2 * x.shape)):
                out[6 + i] = (x.shape * 2)[i]

        self.assertEqual(launch(kernel, 10, np.zeros((2, 3)), 5), [4, 5, 0, 2, 0, 2, 2, 3, 2, 3])

        @cuda.jit(debug=True, opt=False)
        def missing(out, n):
            out[0] = (1, 2).index(n)

        with self.assertRaisesRegex(ValueError, "x not in tuple"):
            missing[1, 1](np.zeros(1), 3)


class Questions(unittest.TestCase):
    def test_hasattr(self) -> None:
        def kernel(out, x, n, r):
            out[0], out[1], out[2] = hasattr(x, "shape"), hasattr(x, "reshape"), hasattr(x, "nothing")
            out[3], out[4], out[5] = hasattr(n, "real"), hasattr(n, "shape"), hasattr(n, "conjugate")
            out[6], out[7], out[8] = hasattr(r, "a"), hasattr(r, "b"), hasattr(math, "sin")
            if hasattr(n, "shape"):
                out[9] = n.shape[0]
            else:
                out[9] = 7
            out[10] = hasattr("text", "upper")

        record = np.array([(1, 2.5)], dtype=[("a", "i4"), ("c", "f8")])[0]
        self.assertEqual(launch(kernel, 11, np.zeros(2), 3, record), [1, 1, 0, 1, 0, 1, 1, 0, 1, 7, 1])

        def by_value(out, x, n):
            out[0] = hasattr(x, n)

        with self.assertRaisesRegex(RequireLiteralValue, "hasattr takes a constant string"):
            launch(by_value, 1, np.zeros(2), 3)

    def test_types(self) -> None:
        def kernel(out, n, f, x):
            out[0], out[1], out[2] = type(n) is int, type(f) is float, type(n) is float
            out[3], out[4], out[5] = type(n) == type(4), type(n) is not type(f), type(x[0]) is np.int32
            out[6], out[7] = type(n) in (float, int), type(x.shape) is tuple
            if type(f) is int:
                out[8] = f.nothing
            else:
                out[8] = 3
            out[9], out[10] = type(None) is type(None), type(n > 2) is bool

        self.assertEqual(launch(kernel, 11, 3, 2.5, np.zeros(1, np.int32)), [1, 1, 0, 1, 1, 1, 1, 1, 3, 1, 1])

    def test_dtypes(self) -> None:
        record = np.dtype([("a", "i4"), ("b", "f8")])
        other = np.dtype([("a", "i4"), ("b", "f4")])

        def kernel(out, x, r):
            out[0], out[1], out[2] = x.dtype == np.float32, x.dtype != np.float32, np.dtype(np.int8) == x.dtype
            out[3], out[4], out[5] = x.dtype == float32, out.dtype == x.dtype, out.dtype == float
            out[6], out[7], out[8] = r.dtype == record, r.dtype == other, x.dtype == "float32"
            local = cuda.local.array(2, "f4")
            local[1] = 2.5
            other_local = cuda.local.array(1, np.dtype("i2"))
            other_local[0] = 2.5
            if x.dtype == np.float64:
                out[9] = x.nothing
            else:
                out[9] = local[1] + other_local[0]
            part = slice(1, 3)
            out[10] = part.start + part.stop

        wanted = [1, 0, 0, 1, 0, 1, 1, 0, 1, 4.5, 4]
        self.assertEqual(launch(kernel, 11, np.zeros(1, np.float32), np.zeros(1, record)), wanted)

    def test_identity(self) -> None:
        def kernel(out, x, y):
            part = x[1:]
            out[0], out[1], out[2] = x is x, x is y, x is not part
            out[3], out[4] = x is x[:], x is not None

        x = cuda.to_device(np.zeros(4))
        out = np.zeros(5)
        cuda.jit(kernel)[1, 1](out, x, cuda.to_device(np.zeros(4)))
        self.assertEqual(out.tolist(), [1, 0, 1, 1, 1])
        cuda.jit(kernel)[1, 1](out, x, x)
        self.assertEqual(out.tolist(), [1, 1, 1, 1, 1])


if __name__ == "__main__":
    main()
