"""numba.cuda.libdevice, function by function, against what CUDA says they compute."""

import math
import struct
import unittest
from decimal import Decimal, localcontext
from fractions import Fraction

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda
from numba.cuda import libdevice


def bits(value: float, code: str = "d") -> int:
    return int.from_bytes(struct.pack(">" + code, value), "big")


def compiled(name: str, count: int):
    """A kernel that calls the function and stores what it gives."""
    names = {"cuda": cuda, "function": getattr(libdevice, name)}
    given = ", ".join(f"x[{i}]" for i in range(count))
    exec(f"def kernel(x, out):\n    out[0] = function({given})\n", names)
    return cuda.jit(names["kernel"])


class Functions(unittest.TestCase):
    def check(self, name: str, given: tuple, kind, expected, result=None) -> None:
        """Arguments of one type."""
        x = np.array(given, dtype=kind)
        out = np.zeros(1, dtype=result or kind)
        compiled(name, len(given))[1, 1](x, out)
        tolerance = 0 if np.issubdtype(out.dtype, np.integer) else {np.float32: 1e-5, np.float64: 1e-12}[out.dtype.type]
        np.testing.assert_allclose(out[0], expected, rtol=tolerance, err_msg=f"{name}{given}")

    def test_integers(self) -> None:
        low = 2**32 - 1
        for name, given, kind, expected in [
            ("byte_perm", (0x33221100, 0x77665544, 0x7610), np.uint32, 0x77661100), ("byte_perm", (0x33221100, 0x77665544, 0x0123), np.uint32, 0x00112233),
            ("uhadd", (low, low), np.uint32, low), ("rhadd", (-3, -4), np.int32, -3), ("rhadd", (3, 4), np.int32, 4), ("hadd", (-3, -4), np.int32, -4),
            ("urhadd", (low, low - 1), np.uint32, low), ("usad", (3, 10, 5), np.uint32, 12), ("umul24", (0x1000003, 5), np.uint32, 15),
            ("umul64hi", (2**64 - 1, 2**64 - 1), np.uint64, 2**64 - 2), ("umul64hi", (2**63 + 12345, 987654321987654321), np.uint64,
                                                                       (2**63 + 12345) * 987654321987654321 >> 64),
            ("mul64hi", (-5, 2**62), np.int64, -5 * 2**62 >> 64), ("mul64hi", (-(2**63), -(2**63)), np.int64, 2**62), ("mul64hi", (-1, 1), np.int64, -1),
            ("ullmax", (2**63, 5), np.uint64, 2**63), ("ullmin", (2**63, 5), np.uint64, 5),
        ]:
            self.check(name, given, kind, expected)

    def test_scaled_erfc(self) -> None:
        for x in (0.0, 0.5, 1.25, 3.0, 5.0, -1.5, -5.0):
            self.check("erfcx", (x,), np.float64, math.exp(x * x) * math.erfc(x))
        for x in (24.9, 25.1, 40.0, 1e5, 1e200):  # the tail's series
            square = 1 / x / x
            series = 1 - square / 2 * (1 - 1.5 * square * (1 - 2.5 * square * (1 - 3.5 * square * (1 - 4.5 * square))))
            self.check("erfcx", (x,), np.float64, series / (x * math.sqrt(math.pi)))
        self.check("erfcx", (-30.0,), np.float64, math.inf)
        self.check("erfcx", (math.nan,), np.float64, math.nan)
        self.check("erfcxf", (2.0,), np.float32, math.exp(4) * math.erfc(2))
        self.check("frsqrt_rn", (3.0,), np.float32, np.float32(1 / math.sqrt(3)))

    def test_quotients(self) -> None:
        """C's remquo, of whose quotient CUDA has the last three bits."""
        out = np.zeros(2)

        @cuda.jit
        def kernel(x, y, out):
            out[0], out[1] = libdevice.remquo(x, y)

        for x in (29.0, -29.0, 7.5, 1e300, -1e18, 0.0, 3.0):
            for y in (3.0, -3.0, 0.5, 2.0**-20, 7e299):
                kernel[1, 1](x, y, out)
                exact = Fraction(x) / Fraction(y)
                whole = round(exact)  # to even, where it lies between two
                self.assertEqual(out.tolist(), [math.remainder(x, y), (abs(whole) % 8) * (1 if whole >= 0 else -1)], (x, y))

    def test_bits(self) -> None:
        for value in (1.5, -0.0, math.inf, 5e-324, -3.25e100):
            self.check("double_as_longlong", (value,), np.float64, np.array(bits(value), np.uint64).view(np.int64), np.int64)
            self.check("double2hiint", (value,), np.float64, np.array(bits(value) >> 32, np.uint32).view(np.int32), np.int32)
            self.check("double2loint", (value,), np.float64, np.array(bits(value) & 0xFFFFFFFF, np.uint32).view(np.int32), np.int32)
            self.check("signbitd", (value,), np.float64, int(math.copysign(1, value) < 0), np.int32)
        for value in (1.5, -0.0, -3.25e30):
            self.check("float_as_int", (value,), np.float32, np.array(bits(value, "f"), np.uint32).view(np.int32), np.int32)
            self.check("float_as_uint", (value,), np.float32, bits(value, "f"), np.uint32)
            self.check("signbitf", (value,), np.float32, int(math.copysign(1, value) < 0), np.int32)
        self.check("int_as_float", (0x3FC00000,), np.int32, 1.5, np.float32)
        self.check("longlong_as_double", (0x3FF8000000000000,), np.int64, 1.5, np.float64)
        self.check("hiloint2double", (-0x40080000, 7), np.int32, struct.unpack(">d", bytes.fromhex("bff8000000000007"))[0], np.float64)

    def test_kinds(self) -> None:
        for value, finite, infinite, nan in ((1.0, 1, 0, 0), (math.inf, 0, 1, 0), (math.nan, 0, 0, 1)):
            self.check("isfinited", (value,), np.float64, finite, np.int32)
            self.check("finitef", (value,), np.float32, finite, np.int32)
            self.check("isinfd", (value,), np.float64, infinite, np.int32)
            self.check("isinff", (value,), np.float32, infinite, np.int32)
            self.check("isnand", (value,), np.float64, nan, np.int32)
            self.check("isnanf", (value,), np.float32, nan, np.int32)

    def test_rounding(self) -> None:
        for value, even, away in ((2.5, 2, 3), (-2.5, -2, -3), (-0.4, 0, 0), (3.5, 4, 4), (1e15 + 1, 10**15 + 1, 10**15 + 1)):
            self.check("llrint", (value,), np.float64, even, np.int64)
            self.check("llround", (value,), np.float64, away, np.int64)
        self.check("llrintf", (2.5,), np.float32, 2, np.int64)
        self.check("llroundf", (2.5,), np.float32, 3, np.int64)

    def test_exponents(self) -> None:
        for value, exponent in ((1.0, 0), (-7.5, 2), (0.3, -2), (5e-324, -1074), (1e300, 996)):
            self.check("ilogb", (value,), np.float64, exponent, np.int32)
            self.check("logb", (value,), np.float64, exponent)
        for value, exponent, result in ((0.0, -(2**31), -math.inf), (math.inf, 2**31 - 1, math.inf), (math.nan, -(2**31), math.nan)):
            self.check("ilogb", (value,), np.float64, exponent, np.int32)
            self.check("logb", (value,), np.float64, result)

    def test_inverses(self) -> None:
        """Of erf and erfc: what gives the argument back."""
        for x in (-5.5, -2.0, -0.7, -0.3, -1e-9, 0.0, 1e-300, 0.1, 0.45, 0.5, 1.0, 3.0, 4.0):
            if abs(x) < 2:  # beyond, erf has lost too much of it
                self.check("erfinv", (math.erf(x),), np.float64, x)
            if x >= 0.3:
                self.check("erfcinv", (math.erfc(x),), np.float64, x)
        for x in (5.0, 10.0, 20.0, 26.0):
            self.check("erfcinv", (math.erfc(x),), np.float64, x)
        self.check("normcdfinv", (0.5 * math.erfc(3 / math.sqrt(2)),), np.float64, -3.0)
        self.check("erfinvf", (math.erf(0.8),), np.float32, 0.8)
        for name, ends in (("erfinv", ((1.0, math.inf), (-1.0, -math.inf), (1.5, math.nan))), ("erfcinv", ((0.0, math.inf), (2.0, -math.inf), (3.0, math.nan)))):
            for value, expected in ends:
                self.check(name, (value,), np.float64, expected)

    def test_norms_and_powers(self) -> None:
        self.check("norm4d", (1.0, 2.0, 4.0, 10.0), np.float64, 11.0)
        self.check("rnorm4d", (1.0, 2.0, 4.0, 10.0), np.float64, 1 / 11)
        self.check("rnorm3d", (2.0, 3.0, 6.0), np.float64, 1 / 7)
        self.check("powi", (1.5, 3), np.float64, 3.375)
        self.check("saturatef", (1.5,), np.float32, 1.0)

    def test_tuples(self) -> None:
        @cuda.jit
        def kernel(x, out):
            out[0], out[1] = libdevice.sincospi(x[0])

        out = np.zeros(2)
        kernel[1, 1](np.array([0.25]), out)
        np.testing.assert_allclose(out, [math.sqrt(0.5)] * 2, rtol=1e-15)


def rounded(exact, kind, way: str):
    """The number of a type that is next to an exact one. `exact` is not zero."""
    near = kind(0) if exact == 0 else nearest(exact, kind)
    down, up = way == "rd" or (way == "rz" and exact > 0), way == "ru" or (way == "rz" and exact < 0)
    missing = -1 if math.isinf(near) and near > 0 else 1 if math.isinf(near) else (exact > Fraction(float(near))) - (exact < Fraction(float(near)))
    if missing < 0 and down:
        return np.nextafter(near, kind(-np.inf))
    return np.nextafter(near, kind(np.inf)) if missing > 0 and up else near


def nearest(exact, kind):
    """The exact number rounded to the nearest, or a neighbour of that."""
    try:
        with np.errstate(over="ignore", under="ignore"):
            return kind(float(exact))
    except OverflowError:
        return kind(math.inf if exact > 0 else -math.inf)


class Directions(unittest.TestCase):
    """Down, up and to zero."""

    def operands(self, kind, count: int):
        with np.errstate(over="ignore", under="ignore"):
            return self.wide_operands(kind, count)

    def wide_operands(self, kind, count: int):
        rng = np.random.default_rng(count)
        info = np.finfo(kind)
        lots = [rng.normal(size=(count, 150)), np.exp(rng.uniform(-10, 10, (count, 150))), rng.integers(-9, 9, (count, 60)) * 1.0,
                np.ldexp(rng.normal(size=(count, 300)), rng.integers(info.minexp - 20, info.maxexp - 1, (count, 300))),
                np.ldexp(rng.normal(size=(count, 200)), rng.integers(info.minexp - 20, info.minexp + 90, (count, 200))),
                np.ldexp(rng.normal(size=(count, 200)), rng.integers(info.minexp // 2 - 60, info.minexp // 2 + 60, (count, 200))),
                np.ldexp(rng.normal(size=(count, 100)), info.maxexp - rng.integers(1, 4, (count, 100)))]
        given = np.concatenate(lots, axis=1).astype(kind)
        if count == 3:  # sums that nearly vanish
            given[2, ::3] = -(given[0, ::3] * given[1, ::3])
        return np.where(np.isfinite(given), given, kind(1))

    def check(self, name: str, kind, count: int, exactly) -> None:
        given = self.operands(kind, count)
        for way in "rd", "ru", "rz":
            scope = {"cuda": cuda, "function": getattr(libdevice, f"{name}_{way}")}
            names = ", ".join(f"x[{i}, i]" for i in range(count))
            exec(f"def kernel(x, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = function({names})\n", scope)
            out = np.zeros(given.shape[1], kind)
            cuda.jit(scope["kernel"])[(out.size + 63) // 64, 64](given, out)
            for column, result in zip(given.T, out):
                exact = exactly(*(Fraction(float(x)) for x in column))
                if exact is not None and exact != 0:
                    self.assertEqual(result, rounded(exact, kind, way), f"{name}_{way}{tuple(column)}")

    def test_arithmetic(self) -> None:
        for letter, kind in ("f", np.float32), ("d", np.float64):
            self.check(f"{letter}add", kind, 2, lambda x, y: x + y)
            self.check(f"{letter}sub", kind, 2, lambda x, y: x - y)
            self.check(f"{letter}mul", kind, 2, lambda x, y: x * y)
            self.check(f"{letter}div", kind, 2, lambda x, y: x / y if y else None)
            self.check(f"{letter}rcp", kind, 1, lambda x: 1 / x if x else None)

    def test_fused(self) -> None:
        self.check("fmaf", np.float32, 3, lambda x, y, z: x * y + z)
        self.check("fma", np.float64, 3, lambda x, y, z: x * y + z)

    def test_roots(self) -> None:
        """The square of the result is on the right side, and that of its neighbour is not."""
        for letter, kind in ("f", np.float32), ("d", np.float64):
            given = np.abs(self.operands(kind, 1)[0])
            for way, toward in ("rd", np.inf), ("rz", np.inf), ("ru", -np.inf):
                scope = {"cuda": cuda, "function": getattr(libdevice, f"{letter}sqrt_{way}")}
                exec("def kernel(x, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = function(x[i])\n", scope)
                out = np.zeros_like(given)
                cuda.jit(scope["kernel"])[(out.size + 63) // 64, 64](given, out)
                side = 1 if way == "ru" else -1
                for x, root in zip(given, out):
                    square, other = Fraction(float(root)) ** 2, Fraction(float(np.nextafter(root, kind(toward)))) ** 2
                    exact = Fraction(float(x))
                    self.assertTrue(square == exact or ((square - exact) * side > 0 and (other - exact) * side < 0), f"{letter}sqrt_{way}({x})")

    def test_special(self) -> None:
        for name, given, kind, expected in [
            ("dadd_rd", (1.0, -1.0), np.float64, -0.0), ("dadd_ru", (1.0, -1.0), np.float64, 0.0), ("fadd_rd", (0.0, 0.0), np.float32, 0.0),
            ("fadd_rd", (0.0, -0.0), np.float32, -0.0), ("fmaf_rd", (1.0, 1.0, -1.0), np.float32, -0.0), ("fma_ru", (1.0, 1.0, -1.0), np.float64, 0.0),
            ("ddiv_rd", (1.0, 0.0), np.float64, math.inf), ("dmul_ru", (math.inf, -1.0), np.float64, -math.inf), ("dadd_rd", (math.inf, 1.0), np.float64, math.inf),
            ("dsqrt_rd", (-1.0,), np.float64, math.nan), ("fdiv_rd", (1.0, math.inf), np.float32, 0.0), ("dmul_rd", (math.nan, 1.0), np.float64, math.nan),
        ]:
            self.check_one(name, given, kind, expected)

    def check_one(self, name: str, given: tuple, kind, expected) -> None:
        out = np.ones(1, kind)
        compiled(name, len(given))[1, 1](np.array(given, kind), out)
        np.testing.assert_array_equal(out[0], kind(expected), err_msg=name)
        self.assertEqual(np.signbit(out[0]), np.signbit(kind(expected)) if not math.isnan(expected) else np.signbit(out[0]), name)

    def test_conversions(self) -> None:
        rng = np.random.default_rng(3)
        for name, kind, result in [
            ("double2float", np.float64, np.float32), ("int2float", np.int32, np.float32), ("uint2float", np.uint32, np.float32), ("ll2float", np.int64, np.float32),
            ("ull2float", np.uint64, np.float32), ("ll2double", np.int64, np.float64), ("ull2double", np.uint64, np.float64),
        ]:
            if kind is np.float64:
                given = rng.normal(size=100) * 10.0 ** rng.integers(-46, 40, 100)
            else:
                info = np.iinfo(kind)
                given = np.concatenate([rng.integers(info.min, info.max, 100, kind, True), np.array([info.min, info.max, info.max - 1, 5], kind)])
            for way in "rd", "ru", "rz":
                scope = {"cuda": cuda, "function": getattr(libdevice, f"{name}_{way}")}
                exec("def kernel(x, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = function(x[i])\n", scope)
                out = np.zeros(given.size, result)
                cuda.jit(scope["kernel"])[2, 64](given, out)
                for x, value in zip(given.tolist(), out):
                    with np.errstate(over="ignore", under="ignore"):
                        self.assertEqual(value, rounded(Fraction(x), result, way), f"{name}_{way}({x})")


def bessel_by_series(n: int, x: float) -> tuple:
    """J of order n, and Y of orders 0 and 1, with 120 digits."""
    with localcontext() as context:
        context.prec = 120
        half, pi, gamma = Decimal(x) / 2, PI, GAMMA

        def j(order: int) -> Decimal:
            term = half**order / math.factorial(order)
            total, k = term, 0
            while abs(term) > Decimal(10) ** -110 or k < half:
                k += 1
                term *= -half * half / (k * (k + order))
                total += term
            return total

        harmonic, term, total, k = Decimal(0), Decimal(1), Decimal(0), 0
        while abs(term) > Decimal(10) ** -110 or k < half + 1:
            k += 1
            harmonic += Decimal(1) / k
            term *= -half * half / (k * k)
            total -= harmonic * term
        zero = 2 / pi * ((half.ln() + gamma) * j(0) + total)
        one = (j(1) * zero - 1 / (pi * half)) / j(0)
        return float(j(n)), float(zero), float(one)


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058")
GAMMA = Decimal("0.57721566490153286060651209008240243104215933593992359880576723488486772677766467093694706329174674951463144724980708248096050401448654")


class Bessel(unittest.TestCase):
    POINTS = (1e-12, 1e-3, 0.5, 1.0, 2.0, 5.0, 9.5, 13.25, 24.5, 25.5, 40.0, 77.0)

    def value(self, name: str, *given, kind=np.float64) -> float:
        out = np.zeros(1, kind)
        compiled(name, len(given))[1, 1](np.array(given, kind), out)
        return out[0]

    def test_j_and_y(self) -> None:
        for x in self.POINTS:
            j5, y0, y1 = bessel_by_series(5, x)
            for name, given, expected in [("j0", (x,), bessel_by_series(0, x)[0]), ("j1", (x,), bessel_by_series(1, x)[0]), ("jn", (5, x), j5),
                                          ("jn", (30, x), bessel_by_series(30, x)[0]), ("y0", (x,), y0), ("y1", (x,), y1), ("yn", (2, x), 2 / x * y1 - y0)]:
                np.testing.assert_allclose(self.value(name, *given), expected, rtol=2e-13, atol=1e-15 if expected > 1e-12 or expected < 0 else 0, err_msg=f"{name}{given}")
            self.assertEqual(self.value("j1", -x), -self.value("j1", x))
        self.assertEqual([float(self.value("j0", x)) for x in (0.0, math.inf)], [1.0, 0.0])
        self.assertEqual([float(self.value("y0", x)) for x in (0.0, math.inf)], [-math.inf, 0.0])
        self.assertTrue(np.isnan(self.value("y0", -1.0)) and np.isnan(self.value("jn", -1, 1.0)) and np.isnan(self.value("j0", math.nan)))
        np.testing.assert_allclose(self.value("j0f", 2.5, kind=np.float32), bessel_by_series(0, 2.5)[0], rtol=1e-6)

    def test_i(self) -> None:
        angles = (np.arange(4000) + 0.5) * np.pi / 4000
        for x in (0.0, 1e-6, 0.75, 3.0, 29.0, 31.0, 200.0, 712.0):
            scaled = np.exp(x * (np.cos(angles) - 1)) * np.array([np.ones_like(angles), np.cos(angles)])
            for order in range(2):
                expected = math.exp(x / 2) * (math.exp(x / 2) * math.fsum(scaled[order]) / 4000)
                np.testing.assert_allclose(self.value(f"cyl_bessel_i{order}", x), expected, rtol=1e-12, atol=1e-16)
                self.assertEqual(self.value(f"cyl_bessel_i{order}", -x), self.value(f"cyl_bessel_i{order}", x) * (-1) ** order)


if __name__ == "__main__":
    main()
