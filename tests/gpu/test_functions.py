"""Device functions: what they take and return, recursion, defaults; functions that jit marked."""

import math
import operator
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, njit, types, void
from numba.core.errors import TypingError


def run(kernel, *arrays, threads=32):
    """Launches a kernel with one block on copies of the arrays; returns the first."""
    copies = [array.copy() if isinstance(array, np.ndarray) else array for array in arrays]
    kernel[1, threads](*copies)
    return copies[0]


class Functions(unittest.TestCase):
    def test_returns_in_loops_whose_types_widen(self) -> None:
        """Such loops are built more than once, and what the first times returned is forgotten."""

        @cuda.jit(device=True)
        def add_up(step, limit):
            total = 0
            for _ in range(100):
                total += step
                if total > limit:
                    return total
                while total < 0:
                    if step == 0:
                        return total
                    total = total + 0.25
            return total

        @cuda.jit(device=True)
        def none_at_first(n):
            last = 1
            for i in range(n):
                if i == 3:
                    return (last, i)
                last = last * 1.5
            return (last, n)

        @cuda.jit
        def kernel(out):
            out[0] = add_up(0.5, 3)
            out[1] = add_up(-0.25, 3)
            out[2], out[3] = none_at_first(2)
            out[4], out[5] = none_at_first(20)

        self.assertEqual(run(kernel, np.zeros(6), threads=1).tolist(), [3.5, 0, 2.25, 2, 3.375, 3])

    def test_keywords_and_defaults(self) -> None:
        @njit
        def power(x, exponent=3):
            return x**exponent

        @cuda.jit
        def kernel(out):
            out[0] = power(2)
            out[1] = power(2, exponent=5)
            out[2] = power(exponent=2, x=7.5)

        self.assertEqual(run(kernel, np.zeros(3), threads=1).tolist(), [8, 32, 56.25])

        @cuda.jit
        def wrong(out):
            out[0] = power(2, base=1)

        with self.assertRaisesRegex(TypingError, "a keyword argument here is no parameter"):
            wrong[1, 1](np.zeros(1))

    def test_flags(self) -> None:
        """A constant flag leaves out what cannot be typed; where it stays, the error is that of the line."""

        @cuda.jit(device=True)
        def put(a, index, value, is_pair, by_half):
            if by_half:
                index = index % 0.5
            if is_pair:
                value = value[0] + value[1]
            a[index] += value

        @cuda.jit
        def kernel(a, zero):
            put(a, cuda.grid(1), 1, False, False)
            put(a, cuda.grid(1), (10, 20), True, by_half=False)
            if cuda.grid(1) == 0:
                a[zero] += 100

        a = np.zeros(4)
        kernel[1, 4](a, np.array(3))
        self.assertEqual(a.tolist(), [31, 31, 31, 31 + 100])

        @cuda.jit
        def wrong(a):
            put(a, cuda.grid(1), 1, False, True)

        with self.assertRaisesRegex(TypingError, "an index is an integer or a slice, and this is float64"):
            wrong[1, 4](a)

    def test_device_functions(self) -> None:
        @cuda.jit(device=True)
        def square(x):
            return x * x

        @cuda.jit
        def polar(x, y):
            return math.hypot(x, y), math.atan2(y, x)

        @njit
        def clamp(x, low=0, high=1):
            if x < low:
                return low
            if x > high:
                return high
            return x

        @cuda.jit(device=True)
        def store(array, i, value):
            array[i] = value

        @cuda.jit(device=True)
        def factorial(n):
            if n <= 1:
                return 1
            return n * factorial(n - 1)

        @cuda.jit
        def kernel(out, x):
            r, phi = polar(x, 2.0)
            store(out, 0, square(r) + square(3))
            out[1] = phi
            out[2] = clamp(x, 0.0, 1.5)
            out[3] = factorial(6)

        expected = [3.0**2 + 4 + 9, math.atan2(2, 3), 1.5, 720]
        np.testing.assert_allclose(run(kernel, np.zeros(4), 3.0, threads=1), expected, rtol=1e-15)

    def test_lambda_and_exec(self) -> None:
        double = cuda.jit(device=True)(lambda x: 2 * x)
        @cuda.jit
        def caller(out):
            out[0] = double(4)

        self.assertEqual(run(caller, np.zeros(1), threads=1)[0], 8)


@cuda.jit
def parts(x, powers, mantissas, exponents, fractions, wholes, scaled):
    i = cuda.grid(1)
    if i < x.size:
        mantissas[i], exponents[i] = math.frexp(x[i])
        fractions[i], wholes[i] = math.modf(x[i])
        for j in range(powers.size):
            scaled[i, j] = math.ldexp(x[i], powers[j])


class FloatParts(unittest.TestCase):
    def check(self, got, wanted) -> None:
        """The same numbers, signs of zeros and nans among them."""
        np.testing.assert_array_equal(got, wanted)
        known = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(got[known]), np.signbit(wanted[known]))

    def test_values(self) -> None:
        limits = 0, 1, -1, 5, -30, 100, -100, 126, -140, 149, -150, 300, -300, 1000, 1023, 1024, -1022, -1023, -1074, -1080, 2098, -2100, 2**31 - 1, -2**31
        powers = np.array(limits + (2**40, -2**62))
        for dtype in np.float64, np.float32:
            info = np.finfo(dtype)
            x = np.array([0, -0.0, 1, -1, 0.1, -2.75, 3e10, info.max, info.tiny, info.smallest_subnormal, -5 * info.smallest_subnormal,
                          info.tiny / 3, np.inf, -np.inf, np.nan, 0.5, 1023.75], dtype)
            results = [np.zeros_like(x), np.zeros(x.size, np.int32), np.zeros_like(x), np.zeros_like(x), np.zeros((x.size, powers.size), dtype)]
            parts[1, 32](x, powers, *results)
            with np.errstate(all="ignore"):
                scaled = np.ldexp(x[:, None], np.clip(powers, -10000, 10000).astype(np.int32))
                wanted = [*np.frexp(x), *np.modf(x), scaled.astype(dtype)]
            wanted[1][~np.isfinite(x)] = 0
            for got, expected in zip(results, wanted):
                self.check(got, expected)

    def test_types(self) -> None:
        @cuda.jit
        def kernel(out, x, n):
            mantissa, exponent = math.frexp(n)
            out[0] = mantissa * 2.0**exponent
            out[1] = math.ldexp(n, 2) + math.modf(x)[0]

        self.assertEqual(run(kernel, np.zeros(2), np.float32(1.25), 12, threads=1).tolist(), [12, 48.25])

        @cuda.jit
        def wrong(out):
            out[0] = math.ldexp(1.0, 2.0)

        with self.assertRaisesRegex(TypingError, "math.ldexp takes an integer as its second argument, and this is float64"):
            wrong[1, 1](np.zeros(1))


class NamedOperators(unittest.TestCase):
    """operator's functions and NumPy's do what the operators do."""

    def test_all(self) -> None:
        arithmetic = {"+": "add iadd", "-": "sub isub", "*": "mul imul", "/": "truediv itruediv", "//": "floordiv ifloordiv", "%": "mod imod",
                      "**": "pow ipow", "&": "and_ iand", "|": "or_ ior", "^": "xor ixor", "<<": "lshift ilshift", ">>": "rshift irshift",
                      "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
        of_numpy = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide", "%": "remainder mod", "**": "power",
                    "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "left_shift", ">>": "right_shift", "==": "equal",
                    "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
        lines, wanted = [], []
        for module, names in ("operator", arithmetic), ("np", of_numpy):
            for symbol, functions in names.items():
                for function in functions.split():
                    lines.append(f"{module}.{function}(x, y)")
                    wanted.append(eval(f"(-7) {symbol} 2"))
        for call, value in {"operator.neg(x)": 7, "operator.pos(x)": -7, "operator.invert(x)": 6, "operator.not_(x)": 0, "np.negative(x)": 7,
                            "np.positive(x)": -7, "np.invert(x)": 6, "np.logical_not(x)": 0, "np.degrees(0.5)": math.degrees(0.5),
                            "np.deg2rad(90.0)": math.radians(90), "np.rad2deg(0.5)": math.degrees(0.5), "np.radians(90.0)": math.radians(90)}.items():
            lines.append(call)
            wanted.append(value)
        text = "def kernel(out, x, y):\n" + "".join(f"    out[{i}] = {line}\n" for i, line in enumerate(lines))
        scope = {"np": np, "operator": operator}
        exec(text, scope)
        got = run(cuda.jit(scope["kernel"]), np.zeros(len(lines)), -7, 2, threads=1)
        self.assertEqual(dict(zip(lines, got.tolist())), dict(zip(lines, map(float, wanted))))


class Signatures(unittest.TestCase):
    def test_spellings(self) -> None:
        kinds = ["void(float32[:])", "(float32[:],)", "void(f4[::1])", "none(float32[:])", void(float32[:]), (float32[:],),
                 [void(float32[:])], ["void(f4[:])", "void(f8[:])"], [(float32[:],), (float64[:],)], "void(Array(float32, 1, 'C'))"]
        for kind in kinds:
            @cuda.jit(kind)
            def kernel(x):
                x[cuda.grid(1)] += 1

            self.assertEqual(run(kernel, np.zeros(4, np.float32), threads=4).tolist(), [1] * 4, kind)

        @cuda.jit("void(float64[:], UniTuple(int64, 2), Tuple((float32, boolean)))")
        def tuples(out, pair, mixed):
            out[0] = pair[0] + pair[1] + mixed[0] if mixed[1] else 0

        self.assertEqual(run(tuples, np.zeros(1), (1, 2), (np.float32(0.5), True), threads=1).tolist(), [3.5])

    def test_errors(self) -> None:
        for text, message in [("void(flot32[:])", "'flot32' is not a type"), ("float32[:]", "is not a signature"), ("void(", "is not a signature")]:
            with self.assertRaisesRegex(TypeError, message):
                cuda.jit(text)


class DeviceSignatures(unittest.TestCase):
    """Arguments and results of device functions are cast as their signatures say."""

    def test_casts(self) -> None:
        @cuda.jit("int32(int32, int32)", device=True)
        def product(a, b):
            return a * b + (a & 1)

        @cuda.jit("float32(float32)", device=True)
        def third(a):
            return a / 3

        @cuda.jit("void(float32[:], int32)", device=True)
        def put(a, i):
            a[i] = i

        @cuda.jit
        def kernel(x, out, singles):
            out[0] = product(x[0], 2.7)
            out[1] = product(100000, 100000)
            out[2] = third(1.0)
            put(singles, 1.9)

        out, singles = np.zeros(3), np.zeros(3, np.float32)
        kernel[1, 1](np.array([3.9]), out, singles)
        self.assertEqual(out.tolist(), [7, 1410065408, float(np.float32(1) / np.float32(3))])
        self.assertEqual(singles.tolist(), [0, 1, 0])

    def test_choice(self) -> None:
        @cuda.jit(["float32(float32)", "int64(int64)", "complex128(complex128)"], device=True)
        def thrice(a):
            return a * 3

        @cuda.jit
        def kernel(x, out):
            out[0] = thrice(x[0]).real
            out[1] = thrice(7).real
            out[2] = thrice(1 + 2j).imag

        out = np.zeros(3)
        kernel[1, 1](np.array([0.1], np.float32), out)
        self.assertEqual(out.tolist(), [float(np.float32(np.float32(0.1) * np.float32(3))), 21, 6])

    def test_none_fits(self) -> None:
        @cuda.jit("float32(float32)", device=True)
        def single(a):
            return a

        def kernel(x):
            x[0] = single(x)

        with self.assertRaisesRegex(TypingError, "No matching definition of single for argument type.*array"):
            cuda.jit(kernel)[1, 1](np.zeros(1))


class Recursion(unittest.TestCase):
    """A result's type is found whichever of the returns comes first, and is that of all of them."""

    def test_results(self) -> None:
        @cuda.jit(device=True)
        def divisor(a, b):
            return a if b == 0 else divisor(b, a % b)

        @cuda.jit(device=True)
        def factorial(n):
            if n > 1:
                return n * factorial(n - 1)
            return 1

        @cuda.jit(device=True)
        def halved(n):
            if n == 0:
                return 1
            return halved(n - 1) * 0.5

        @cuda.jit(device=True)
        def pair(n):
            if n:
                low, high = pair(n - 1)
                return low - 1, high + 0.5
            return 0, 0

        @cuda.jit(device=True)
        def count_down(out, n):
            if n > 0:
                out[n] = n
                count_down(out, n - 1)

        @cuda.jit
        def kernel(out, filled):
            out[0] = divisor(84, 36)
            out[1] = factorial(10)
            out[2] = halved(4)
            out[3], out[4] = pair(3)
            count_down(filled, 4)

        out, filled = np.zeros(5), np.zeros(5)
        kernel[1, 1](out, filled)
        self.assertEqual(out.tolist(), [12, 3628800, 0.0625, -3, 1.5])
        self.assertEqual(filled.tolist(), [0, 1, 2, 3, 4])

    def test_without_end(self) -> None:
        @cuda.jit(device=True)
        def runaway(n):
            return runaway(n + 1)

        @cuda.jit(device=True)
        def growing(n):
            if n == 0:
                return (0,)
            return growing(n - 1) + (1,)

        def of_runaway(out):
            out[0] = runaway(0)

        def of_growing(out):
            out[0] = growing(3)[0]

        with self.assertRaisesRegex(TypingError, "cannot type infer runaway recursion"):
            cuda.jit(of_runaway)[1, 1](np.zeros(1))
        with self.assertRaisesRegex(TypingError, "growing returns"):
            cuda.jit(of_growing)[1, 1](np.zeros(1))


class Pointers(unittest.TestCase):
    def test_addresses(self) -> None:
        """A kernel whose signature has pointers takes addresses."""

        @cuda.jit(types.void(types.CPointer(types.uint8), types.uint32))
        def raise_all(x, n):
            i = cuda.grid(1)
            if i < n:
                x[i] += 1

        device = cuda.to_device(np.arange(10, dtype=np.uint8))
        raise_all[1, 32](device.device_ctypes_pointer, 5)
        raise_all[1, 32](device.device_ctypes_pointer.value + 5, 4)
        self.assertEqual(device.copy_to_host().tolist(), [*range(1, 10), 9])
        with self.assertRaises(TypeError):
            raise_all[1, 32](1.5, 9)


class Numbers(unittest.TestCase):
    def test_methods_and_texts(self) -> None:
        @cuda.jit
        def kernel(x, y, out):
            out[0], out[1] = x[0].bit_count(), x[1].bit_count()
            out[2], out[3] = y[0].is_integer(), y[1].is_integer()
            out[4], out[5], out[6] = float("-inf"), float("nan"), float("2.5")

        out = np.zeros(7)
        kernel[1, 1](np.array([7, -5], np.int16), np.array([2.0, 2.5]), out)
        np.testing.assert_array_equal(out, [3, 2, 1, 0, -math.inf, math.nan, 2.5])


if __name__ == "__main__":
    main()
