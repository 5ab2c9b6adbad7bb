"""numba.cuda.libdevice, function by function, against what CUDA says they compute."""

import math
import struct
import unittest

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


if __name__ == "__main__":
    main()
