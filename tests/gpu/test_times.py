"""datetime64 and timedelta64 in kernels, against NumPy."""

import operator
import unittest
import warnings
from types import FunctionType

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, types
from numba.core.errors import TypingError

NAT = "NaT"


def durations(unit: str):
    return np.array([0, 1, -1, 7, -7, 86399, -100000, 3, NAT], dtype=f"m8[{unit}]")


def dates(unit: str):
    return np.array([0, 5, -3, 18000, 18001, 4, -9, 2, NAT], dtype=f"M8[{unit}]")


def applied(function, result, *given):
    """What a kernel gives for each element."""
    names = ", ".join("abc"[: len(given)])
    scope = {"cuda": cuda, "function": cuda.jit(device=True)(function) if isinstance(function, FunctionType) else function}
    exec(f"def kernel({names}, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        "
         f"out[i] = function({', '.join(f'{name}[i]' for name in names.split(', '))})\n", scope)
    out = np.zeros(len(given[0]), result)
    cuda.jit(scope["kernel"])[1, 32](*given, out)
    return out


class Operators(unittest.TestCase):
    def check(self, function, *given) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = function(*given)
        np.testing.assert_array_equal(applied(function, expected.dtype, *given), expected, err_msg=f"{function} {[x.dtype for x in given]}")

    def pairs(self, kind, other):
        """All pairs of elements, of equal and of different units."""
        for left, right in (("s", "s"), ("D", "h"), ("ms", "D"), ("W", "ns")):
            a, b = np.meshgrid(kind(left)[[0, 1, 2, 7, 8]], other(right)[[0, 3, 4, 7, 8]])
            yield np.ascontiguousarray(a).ravel()[:25], np.ascontiguousarray(b).ravel()[:25]

    def test_sums(self) -> None:
        for kind, other in ((dates, durations), (durations, durations)):
            for a, b in self.pairs(kind, other):
                self.check(lambda x, y: x + y, a, b)
                self.check(lambda x, y: x - y, a, b)
                self.check(lambda x, y: y + x, a, b)
        for a, b in self.pairs(dates, dates):
            self.check(lambda x, y: x - y, a, b)
        self.check(lambda x, y: x + y, dates("D"), np.arange(9))
        self.check(lambda x, y: y - x, durations("s"), np.arange(9))

    def test_comparisons(self) -> None:
        for kind in dates, durations:
            for a, b in self.pairs(kind, kind):
                self.check(lambda x, y: x < y, a, b)
                self.check(lambda x, y: x <= y, a, b)
                self.check(lambda x, y: x > y, a, b)
                self.check(lambda x, y: x >= y, a, b)
                self.check(lambda x, y: x == y, a, b)
                self.check(lambda x, y: x != y, a, b)
                self.check(lambda x, y: x == x, a, b)

    def test_products(self) -> None:
        a = durations("s")
        for numbers in (np.arange(-4, 5), np.array([1, 2, 3, 4, 5, 6, 7, 8, 9], np.uint8), np.linspace(-2, 2, 9), np.full(9, np.nan), np.full(9, np.inf)):
            self.check(lambda x, y: x * y, a, numbers)
            self.check(lambda x, y: y * x, a, numbers)
            self.check(lambda x, y: x / y, a, numbers)
            self.check(lambda x, y: x // y, a, numbers)

    def test_ratios(self) -> None:
        for a, b in self.pairs(durations, durations):
            self.check(lambda x, y: x / y, a, b)
            self.check(lambda x, y: x // y, a, b)
            self.check(lambda x, y: x % y, a, b)

    def test_functions(self) -> None:
        a, b = durations("ms"), durations("s")[::-1].copy()
        self.check(lambda x: -x, a)
        self.check(lambda x: +x, a)
        self.check(lambda x: abs(x), a)
        self.check(np.isnat, a)
        self.check(np.isnat, dates("D"))
        for function in np.minimum, np.maximum, np.add, np.subtract, np.less, np.equal:
            self.check(function, a, b)
        given = [(x, y) for x, y in zip(a, b)]
        for function in min, max:
            result = applied(function, "m8[ms]", a, b)
            np.testing.assert_array_equal(result, np.array([function(x, y) for x, y in given], "m8[ms]"))

    def test_refused(self) -> None:
        for function, *given in [
            (lambda x, y: x + y, dates("D"), dates("D")), (lambda x, y: x - y, durations("D"), dates("D")), (lambda x, y: x * y, dates("D"), np.arange(9)),
            (lambda x, y: x < y, dates("D"), durations("D")), (lambda x, y: x + y, durations("M"), durations("D")), (lambda x: -x, dates("s")),
            (lambda x, y: x % y, durations("s"), np.arange(9)), (lambda x, y: x & y, durations("s"), durations("s")),
        ]:
            with self.assertRaises(TypingError):
                applied(function, "m8[s]", *given)
        with self.assertRaisesRegex(TypingError, "astype"):
            applied(lambda x: x, "m8[s]", durations("ms"))
        with self.assertRaisesRegex(TypingError, "cannot become"):
            applied(lambda x: x, np.int64, dates("s"))

    def test_too_fine(self) -> None:
        """Weeks have no number of attoseconds that fits."""
        with self.assertRaises(TypingError):
            applied(operator.add, "m8[as]", durations("W"), durations("as"))


class Places(unittest.TestCase):
    def test_arguments(self) -> None:
        @cuda.jit
        def shift(x, by, out):
            i = cuda.grid(1)
            if i < x.size:
                out[i] = x[i] + by

        x = dates("D")
        for by in np.timedelta64(3, "D"), np.timedelta64(36, "h"), np.timedelta64(NAT, "D"):
            expected = x + by
            out = np.zeros_like(expected)
            shift[1, 16](x, by, out)
            np.testing.assert_array_equal(out, expected)
        out = np.zeros_like(x)
        shift[1, 16](x[::-1], np.timedelta64(1, "D"), out)
        np.testing.assert_array_equal(out, x[::-1] + np.timedelta64(1, "D"))
        out = np.zeros(18, x.dtype)
        shift[1, 16](x, np.timedelta64(1, "W"), out[::2])
        np.testing.assert_array_equal(out[::2], x + np.timedelta64(1, "W"))
        with self.assertRaises(TypeError):
            shift[1, 16](x.astype("M8[25s]"), np.timedelta64(1, "s"), out)

    def test_device_arrays(self) -> None:
        @cuda.jit
        def gaps(x, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = x[i + 1] - x[i]

        x = cuda.to_device(dates("s"))
        out = cuda.device_array(8, "m8[s]")
        gaps[1, 8](x, out)
        np.testing.assert_array_equal(out.copy_to_host(), np.diff(dates("s")))
        self.assertEqual(list(gaps.overloads), [(types.Array(types.NPDatetime("s"), 1, "C"), types.Array(types.NPTimedelta("s"), 1, "C"))])

    def test_signatures(self) -> None:
        @cuda.jit((types.NPDatetime("D")[:], types.NPTimedelta("D")))
        def shift(x, by):
            x[0] += by

        x = np.array(["2024-02-28"], "M8[D]")
        shift[1, 1](x, np.timedelta64(2, "D"))
        self.assertEqual(str(x[0]), "2024-03-01")
        self.assertRaises(TypeError, shift[1, 1], x, 2)
        self.assertRaises(TypeError, shift[1, 1], x, np.timedelta64(2, "s"))

    def test_constants_and_local_arrays(self) -> None:
        epoch = np.datetime64("2000-01-01", "D")
        missing = np.timedelta64(NAT)
        table = np.array([1, 2, 3], "m8[D]")
        kind = np.dtype("m8[D]")

        @cuda.jit
        def kernel(x, out, whole):
            kept = cuda.local.array(3, kind)
            part = cuda.shared.array(1, x.dtype)
            part[0] = x[0]
            cuda.syncthreads()
            kept[0] = part[0] - epoch
            kept[1] = missing
            kept[2] = table[2] + np.timedelta64(4, "D")
            for i in range(3):
                out[i] = kept[i]
                whole[i] = int(kept[i] if i != 1 else np.timedelta64(5, "D"))

        x = np.array(["2000-03-01"], "M8[D]")
        out, whole = np.zeros(3, "m8[D]"), np.zeros(3, np.int64)
        kernel[1, 1](x, out, whole)
        np.testing.assert_array_equal(out, np.array([60, NAT, 7], "m8[D]"))
        self.assertEqual(whole.tolist(), [60, 5, 7])

    def test_records(self) -> None:
        for align in True, False:
            record = np.dtype([("flag", np.int8), ("when", "M8[ms]"), ("length", "m8[s]")], align=align)

            @cuda.jit
            def advance(x):
                i = cuda.grid(1)
                if i < x.size:
                    x[i].when += x[i].length
                    x[i].flag = x[i].length > np.timedelta64(1, "m")

            x = np.zeros(3, record)
            x["when"], x["length"] = np.arange(3), [30, 90, NAT]
            expected = x["when"] + x["length"]
            advance[1, 4](x)
            np.testing.assert_array_equal(x["when"], expected)
            self.assertEqual(x["flag"].tolist(), [0, 1, 0])

    def test_paths(self) -> None:
        @cuda.jit
        def kernel(x, out):
            longest = np.timedelta64(0, "s")
            for i in range(x.size):
                if x[i] > longest:
                    longest = x[i]
            out[0] = longest

        out = np.zeros(1, "m8[ms]")
        kernel[1, 1](durations("ms"), out)
        self.assertEqual(out[0], np.timedelta64(86399, "ms"))

        @cuda.jit
        def mixed(x, out):
            value = x[0]
            if out.size > 1:
                value = 1
            out[0] = value

        self.assertRaises(TypingError, mixed[1, 1], durations("s"), durations("s"))


main()
