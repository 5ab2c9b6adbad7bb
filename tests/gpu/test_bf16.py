"""bfloat16 in kernels, against exact rounding."""

import math
import subprocess
import sys
import unittest
from fractions import Fraction

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, types
from numba.cuda import bf16
from numba.cuda.bf16 import bfloat16


def of_bits(bits):
    return (np.asarray(bits, np.uint32) << 16).view(np.float32)


RNG = np.random.default_rng(2)
ALL = np.arange(65536, dtype=np.uint32).astype(np.uint16)
SOME = np.concatenate([RNG.integers(0, 65536, 1500), RNG.integers(0x3F00, 0x4200, 400), RNG.integers(0xBF00, 0xC200, 400), [0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 1, 0x7F7F]])
SOME = SOME.astype(np.uint16)
OTHER = RNG.permutation(SOME)
THIRD = RNG.permutation(SOME)


def nearest(exact: float) -> int:
    """Bits of the number next to an exact one, a tie to the even one."""
    if exact != exact:
        return 0x7FFF
    sign = 0x8000 if math.copysign(1, exact) < 0 else 0
    size = abs(Fraction(exact)) if math.isfinite(exact) else None
    if size is None:
        return sign | 0x7F80
    low, high = 0, 0x7F80
    value = lambda bits: Fraction(float(of_bits(bits))) if bits < 0x7F80 else Fraction(2) ** 128
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value(middle) <= size else (low, middle)
    below, above = size - value(low), value(high) - size
    return sign | (low if below < above or (below == above and low % 2 == 0) else high)


def applied(text: str, result, *given):
    """A kernel's results for each element; x, y and z are those of the arrays."""
    names = "xyz"[: len(given)]
    scope = {"cuda": cuda, "bf16": bf16, "bfloat16": bfloat16, "math": math, "types": types}
    lines = "".join(f"        {name} = bf16.uint16_as_bfloat16({name}s[i])\n" if given[k].dtype == np.uint16 else f"        {name} = {name}s[i]\n" for k, name in enumerate(names))
    exec(f"def kernel({', '.join(f'{name}s' for name in names)}, out):\n    i = cuda.grid(1)\n    if i < out.size:\n{lines}        out[i] = {text}\n", scope)
    out = np.zeros(given[0].size, result)
    cuda.jit(scope["kernel"])[(out.size + 127) // 128, 128](*given, out)
    return out


def isNan(bits):
    return (bits & 0x7FFF) > 0x7F80


class Values(unittest.TestCase):
    def same(self, got, expected, what: str) -> None:
        expected = np.asarray(expected, np.uint16)
        wrong = np.flatnonzero((got != expected) & ~(isNan(got) & isNan(expected)))
        self.assertEqual(wrong.size, 0, f"{what}: {wrong[:3]} {got[wrong[:3]]} {expected[wrong[:3]]}")

    def test_operators(self) -> None:
        a, b = of_bits(SOME).astype(float), of_bits(OTHER).astype(float)
        with np.errstate(all="ignore"):
            for operator, name, exact in [("+", "hadd", a + b), ("-", "hsub", a - b), ("*", "hmul", a * b)]:
                expected = [nearest(value) for value in exact]  # sums whose parts are far apart are no ties
                self.same(applied(f"bf16.bfloat16_as_uint16(x {operator} y)", np.uint16, SOME, OTHER), expected, operator)
                self.same(applied(f"bf16.bfloat16_as_uint16(bf16.{name}(x, y))", np.uint16, SOME, OTHER), expected, name)
            self.same(applied("bf16.bfloat16_as_uint16(x / y)", np.uint16, SOME, OTHER), [nearest(value) for value in a / b], "/")
            for operator, name, exact in [("<", "hlt", a < b), ("<=", "hle", a <= b), (">", "hgt", a > b), (">=", "hge", a >= b), ("==", "heq", a == b), ("!=", "hne", a != b)]:
                np.testing.assert_array_equal(applied(f"x {operator} y", bool, SOME, OTHER), exact)
                np.testing.assert_array_equal(applied(f"bf16.{name}(x, y)", bool, SOME, OTHER), exact)
        self.same(applied("bf16.bfloat16_as_uint16(-x)", np.uint16, SOME), SOME ^ 0x8000, "-x")
        self.same(applied("bf16.bfloat16_as_uint16(abs(x))", np.uint16, SOME), SOME & 0x7FFF, "abs")

    def test_mixed(self) -> None:
        """With another float, that is what is computed in."""
        values = of_bits(SOME)
        np.testing.assert_array_equal(applied("x + types.float32(0.1)", np.float32, SOME), values + np.float32(0.1))
        np.testing.assert_array_equal(applied("x * 0.1", np.float64, SOME), values.astype(float) * 0.1)
        np.testing.assert_array_equal(applied("float(x)", np.float64, SOME), values)

    def test_fused(self) -> None:
        a, b, c = (of_bits(bits) for bits in (SOME, OTHER, THIRD))
        got = applied("bf16.bfloat16_as_uint16(bf16.hfma(x, y, z))", np.uint16, SOME, OTHER, THIRD)
        for i in range(SOME.size):
            if np.isfinite([a[i], b[i], c[i]]).all():
                exact = Fraction(float(a[i])) * Fraction(float(b[i])) + Fraction(float(c[i]))
                expected = nearest(exact) if exact != 0 else None
                if expected is not None:
                    self.assertEqual(got[i], expected, (a[i], b[i], c[i]))
        tie = np.array([0x3F80], np.uint16), np.array([0x3F81], np.uint16)
        one = applied("bf16.bfloat16_as_uint16(bf16.hfma(x, y, z))", np.uint16, np.array([0x3F81], np.uint16), np.array([0x3FC0], np.uint16), np.array([1], np.uint16))
        self.assertEqual(one[0], nearest(Fraction(float(of_bits(0x3F81))) * Fraction(3, 2) + Fraction(float(of_bits(1)))), tie)

    def test_from_floats(self) -> None:
        near = of_bits(SOME[np.isfinite(of_bits(SOME))]).astype(float)
        given = np.concatenate([near, near * (1 + 2.0**-8), near * (1 + 2.0**-8 + 2.0**-50), near * (1 + 2.0**-8 - 2.0**-50), RNG.normal(size=300), [math.inf, math.nan, 1e300, -1e-300]])
        self.same(applied("bf16.bfloat16_as_uint16(bfloat16(x))", np.uint16, given), [nearest(value) for value in given.tolist()], "float64")
        with np.errstate(all="ignore"):
            narrow = given.astype(np.float32)
        self.same(applied("bf16.bfloat16_as_uint16(bfloat16(x))", np.uint16, narrow), [nearest(value) for value in narrow.tolist()], "float32")
        for way in "rz", "rd", "ru":
            got = of_bits(applied(f"bf16.bfloat16_as_uint16(bf16.float32_to_bfloat16_{way}(x))", np.uint16, narrow))
            for value, result in zip(narrow.tolist(), got.tolist()):
                if math.isfinite(value) and math.isfinite(result):
                    self.assertTrue({"rd": result <= value, "ru": result >= value, "rz": abs(result) <= abs(value)}[way] and abs(result - value) <= abs(value) * 2.0**-7 + 1e-40)

    def test_integers(self) -> None:
        for kind in np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64:
            info = np.iinfo(kind)
            given = np.concatenate([RNG.integers(info.min, info.max, 200, kind, True), np.array([0, 1, 255, 257, 259, 32767, info.max, info.min, info.max // 3 * 2], kind)])
            if kind is not np.uint16:
                expected = [nearest(Fraction(value)) for value in given.tolist()]
                self.same(applied(f"bf16.bfloat16_as_uint16(bf16.{kind.__name__}_to_bfloat16_rn(x))", np.uint16, given), expected, kind.__name__)
                down = of_bits(applied(f"bf16.bfloat16_as_uint16(bf16.{kind.__name__}_to_bfloat16_rd(x))", np.uint16, given))
                self.assertTrue(all(Fraction(float(low)) <= value for low, value in zip(down, given.tolist())))
            for way, function in ("rn", np.rint), ("rz", np.trunc), ("rd", np.floor), ("ru", np.ceil):
                whole = function(of_bits(SOME).astype(float))
                expected = [0 if value != value else int(min(max(value, float(info.min)), float(info.max))) if math.isfinite(value) else (info.max if value > 0 else info.min)
                            for value in whole.tolist()]
                expected = np.array([min(max(value, info.min), info.max) for value in expected], kind)
                np.testing.assert_array_equal(applied(f"bf16.bfloat16_to_{kind.__name__}_{way}(x)", kind, SOME), expected)
        tie = np.array([(1 << 62) + (1 << 54), (1 << 62) + (1 << 54) + 1], np.int64)
        self.same(applied("bf16.bfloat16_as_uint16(bfloat16(x))", np.uint16, tie), [nearest(Fraction(value)) for value in tie.tolist()], "tie")

    def test_functions(self) -> None:
        values = of_bits(SOME).astype(np.float64)
        with np.errstate(all="ignore"):
            for name, function in [("hsin", np.sin), ("hsqrt", np.sqrt), ("hexp", np.exp), ("hlog2", np.log2), ("hfloor", np.floor), ("htanh", np.tanh), ("hrcp", lambda x: 1 / x),
                                   ("hrint", np.rint), ("htrunc", np.trunc)]:
                got = of_bits(applied(f"bf16.bfloat16_as_uint16(bf16.{name}(x))", np.uint16, SOME)).astype(np.float64)
                expected = function(values).astype(np.float32)
                fits = np.abs(values) < 1e4
                np.testing.assert_allclose(got[fits], expected[fits], rtol=2.0**-7, atol=1e-37, err_msg=name)
        for name, expected in [("hmax", np.fmax), ("hmin", np.fmin), ("hmax_nan", np.maximum), ("hmin_nan", np.minimum)]:
            got = of_bits(applied(f"bf16.bfloat16_as_uint16(bf16.{name}(x, y))", np.uint16, SOME, OTHER))
            np.testing.assert_array_equal(got, expected(of_bits(SOME), of_bits(OTHER)))
        np.testing.assert_array_equal(applied("bf16.hisnan(x)", bool, SOME), np.isnan(values))
        np.testing.assert_array_equal(applied("bf16.hisinf(x)", np.int32, SOME), np.where(np.isinf(values), np.sign(values), 0))
        self.assertRaises(AttributeError, lambda: bf16.no_such_function)

    def test_printed(self) -> None:
        program = """
import numpy as np
from numba import cuda
from numba.cuda.bf16 import bfloat16
@cuda.jit
def show(x):
    y = bfloat16(x[0])
    print(y, "and", -y, (y, 3))
    print(f"{y:.2f}|{y:8.1f}")
show[1, 1](np.array([2.505]))
cuda.synchronize()
"""
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual((result.stdout, result.stderr), ("2.500000 and -2.500000 (2.500000, 3)\n2.50|     2.5\n", ""))

    def test_places(self) -> None:
        @cuda.jit
        def kernel(x, out):
            kept = cuda.shared.array(2, bfloat16)
            kept[cuda.threadIdx.x] = x[cuda.threadIdx.x]
            cuda.syncthreads()
            total = bfloat16(0)
            for value in kept:
                total += value
            out[0] = max(kept[0], kept[1]) * total

        out = np.zeros(1)
        kernel[1, 2](np.array([1.0, 3.01]), out)
        self.assertEqual(out[0], 12.0625)
        self.assertEqual((bfloat16(3.01), types.bfloat16), (3.015625, bfloat16))
        self.assertTrue(cuda.is_bfloat16_supported())


main()
