"""numba's types of expressions, row by row, and the values that go with them."""

import cmath
import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import (
    boolean, complex64, complex128, cuda, float16, float32, float64, int8, int16, int32, int64, typeof, uint8, uint16, uint32, uint64, void,
)
from numba.cuda.dispatcher import describe_type

SHORT = {"i1": int8, "i2": int16, "i4": int32, "i8": int64, "u1": uint8, "u2": uint16, "u4": uint32, "u8": uint64,
         "f2": float16, "f4": float32, "f8": float64, "c8": complex64, "c16": complex128, "b": boolean}

# What is computed; the types of a and b; the type of the result.
TABLE = """
a + b | i1 i1 | int64
a + b | i4 i4 | int64
a + b | u4 i4 | int64
a + 1 | u4 | int64
a // b | i4 i4 | int64
a % b | i4 i4 | int64
a & b | i4 i4 | int64
a << b | i4 i4 | int64
a >> b | i8 u4 | int64
-a | i1 | int64
~a | i2 | int64
+a | i4 | int64
a + b | b b | int64
a + b | b u1 | int64
a - b | u8 b | int64
a & b | b u4 | int64
a << b | u1 b | uint64
~a | b | bool
np.invert(a) | u1 | uint8
np.invert(a) | i4 | int32
np.left_shift(a, b) | i1 u1 | int16
np.bitwise_xor(a, b) | u4 u1 | uint32
round(a) | u8 | int64
round(a, 2) | i2 | float32
round(a, 2) | i4 | float64
round(a, 2) | f2 | float32
a + b | f2 i1 | float16
a + b | f2 u1 | float32
a + b | u2 f4 | float64
a / b | i2 f4 | float32
a + b | u2 c8 | complex128
a if a > b else b | u1 f2 | float16
a if a > b else b | u2 f4 | float32
round(a, 2) | u2 | float64
math.fmod(a, b) | u2 f4 | float64
np.arctan2(a, b) | u2 f4 | float32
math.degrees(a) | f2 | float32
np.degrees(a) | i2 | float32
a // b | f2 f2 | float32
a % b | f2 f2 | float32
a ** 2 | f2 | float32
a ** b | f2 f4 | float32
math.sin(a) | f2 | float16
math.tan(a) | f2 | float32
math.atan2(a, b) | f2 f2 | float32
math.atan2(a, b) | f4 i2 | float32
math.atan2(a, b) | i2 i2 | float64
math.pow(a, b) | i1 i2 | float32
math.pow(a, b) | f4 i4 | float32
math.pow(a, b) | f4 i8 | float64
math.ldexp(a, 2) | i2 | float32
np.sin(a) | i2 | float32
np.sin(a) | i4 | float64
np.arctan2(a, b) | u1 u1 | float32
np.maximum(a, b) | i8 f4 | float32
np.maximum(a, b) | i4 i8 | int64
np.divide(a, b) | i1 u1 | float32
np.divide(a, b) | i4 f4 | float32
np.divide(a, b) | i4 i4 | float64
np.conjugate(a) | c8 | complex64
np.isnan(a) | c16 | bool
cuda.fma(a, a, a) | i2 | float32
cuda.brev(a) | i8 | uint32
cuda.brev(a) | u8 | uint64
a + b | u1 u1 | uint64
a ^ b | u1 u1 | uint64
~a | u1 | uint64
-a | u4 | uint64
a >> 1 | u4 | uint64
a + b | u8 i8 | int64
a + 1 | u8 | int64
a + 1 | u1 | int64
a * b | u2 u4 | uint64
abs(a) | i1 | int8
abs(a) | u4 | uint32
abs(a) | f4 | float32
a & b | b b | bool
a | b | b b | bool
a and b | b b | bool
not a | i4 | bool
a < b | u8 i8 | bool
a / b | i4 i4 | float64
a / b | u1 u1 | float64
a / b | i8 f4 | float64
a if b else 2.5 | i4 b | float64
a if a > b else b | i8 u8 | float64
a if a > b else b | i4 u4 | int64
a if a > b else b | i1 i2 | int16
a if a > b else b | u1 f4 | float32
a if a > b else b | f4 f8 | float64
a * 2 | f4 | float64
a * 2.0 | f4 | float64
a * b | f4 i4 | float64
a * b | f4 i8 | float64
a * b | f4 i2 | float32
a * b | f4 u1 | float32
a * b | f4 b | float32
a + b | f4 u4 | float64
a / b | f4 f4 | float32
a // b | f4 f4 | float32
a % b | f4 f4 | float32
a - b | f4 f8 | float64
-a | f4 | float32
min(a, b) | i4 f4 | float64
max(a, 0) | f4 | float64
max(a, b) | f4 f4 | float32
min(a, b) | i4 i8 | int64
max(a, b) | i1 u1 | int16
a ** 2 | f4 | float32
a ** b | f4 i4 | float32
a ** 0.5 | f4 | float64
pow(a, b) | f4 f4 | float32
a ** b | i4 i4 | int64
a ** b | u4 u4 | uint64
a ** b | i4 f4 | float64
a ** 2 | i4 | int64
a ** -1 | f4 | float32
np.float32(a) * b | f8 f4 | float32
float32(2.0) * b | i4 f4 | float32
np.float32(0.5) * a | f4 | float32
math.sqrt(a) | f4 | float32
math.sqrt(a) | i4 | float64
math.sqrt(a) | f8 | float64
math.sin(a) | i1 | float64
math.floor(a) | f4 | float32
math.ceil(a) | f8 | float64
math.trunc(a) | f4 | float32
math.atan2(a, b) | f4 f4 | float32
math.atan2(a, b) | f4 f8 | float64
math.hypot(a, b) | i4 i4 | float64
math.isnan(a) | f4 | bool
round(a) | f4 | int64
round(a) | f8 | int64
round(a, 2) | f8 | float64
int(a) | f4 | int64
int(a) | f8 | int64
int(a) | i4 | int32
float(a) | i4 | float64
float(a) | f4 | float32
bool(a) | f4 | bool
int32(a) | f8 | int32
np.uint8(a) | i8 | uint8
a * b | c8 f4 | complex64
a * b | c8 f8 | complex128
a + b | c8 i2 | complex64
a + b | c8 i4 | complex128
a + 1j | c8 | complex128
a / b | c8 c8 | complex64
a ** 2 | c8 | complex128
abs(a) | c8 | float32
a.real | c16 | float64
a == b | c8 c16 | bool
complex(a) | f4 | complex64
complex(a, b) | f8 f4 | complex128
cuda.threadIdx.x | i4 | int32
cuda.blockDim.y | i4 | int32
cuda.laneid | i4 | int32
cuda.grid(1) | i4 | int64
cuda.gridsize(1) | i4 | int64
cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x | i4 | int64
divmod(a, b)[0] | i4 i4 | int64
cuda.popc(a) | u8 | int32
cuda.fma(a, b, a) | f4 f4 | float32
cuda.selp(a > b, a, b) | f4 f4 | float32
True + a | i4 | int64
5 | i4 | int64
2**63 | i4 | uint64
1.5 | i4 | float64
-7 // 2 * 1.0 | i4 | float64
(1 << 63) - 1 | i4 | int64
a is None | i4 | bool
(a, b)[1] | i4 f4 | float32
cmath.exp(a) | c8 | complex64
cmath.sqrt(a) | c8 | complex64
cmath.log(a) | c8 | complex64
cmath.log(a, b) | c8 c8 | complex64
cmath.log(a, 2) | c8 | complex128
cmath.log10(a) | c8 | complex64
cmath.tan(a) | c8 | complex64
cmath.tanh(a) | c8 | complex64
cmath.cos(a) | c8 | complex64
cmath.acos(a) | c8 | complex64
cmath.asin(a) | c8 | complex64
cmath.atan(a) | c8 | complex64
cmath.acosh(a) | c8 | complex64
cmath.asinh(a) | c8 | complex64
cmath.atanh(a) | c8 | complex64
cmath.polar(a)[1] | c8 | float32
cmath.rect(a, b) | f4 f4 | complex64
cmath.rect(a, b) | f4 f8 | complex128
cmath.exp(a) | f4 | complex64
cmath.exp(a) | i4 | complex128
cmath.exp(a) | c16 | complex128
np.exp(a) | c8 | complex64
np.expm1(a) | c8 | complex64
np.log2(a) | c8 | complex64
np.arctanh(a) | c8 | complex64
np.sqrt(a) | c16 | complex128
type(a)(1) | i4 | int32
type(a)(1) | f4 | float32
type(a)(1) | f2 | float16
type(a)(1) | c8 | complex64
type(a)(1) | b | bool
type(a.real)(1) | c8 | float32
type(1)(a) | f4 | int64
a.item() | i4 | int32
a.item() | f4 | float32
a.item() | c8 | complex64
a.item() | b | bool
np.bool_(a) | c8 | bool
np.bool_(a) | c16 | bool
np.bool_(a) | f4 | bool
bool(a) | c16 | bool
"""

LOOPS = """
range(a) | i4 | int32
range(a) | i2 | int32
range(a) | i8 | int64
range(a) | u8 | uint64
range(a) | u4 | uint64
range(a, b) | i4 i4 | int32
range(a, b) | i4 i8 | int64
range(0, a) | i4 | int64
range(a, b, a) | u8 u8 | uint64
range(a, b) | u8 i8 | int64
"""


def rows(table: str):
    """(text, names of types, expected) of each row."""
    for line in table.strip().splitlines():
        text, types, expected = line.rsplit(" | ", 2)
        yield text, types.split(), expected


def result_type(source: str, types: list[str]) -> str:
    """The type that a device function with this body returns."""
    scope = {"cuda": cuda, "math": math, "cmath": cmath, "np": np, "float32": float32, "int32": int32}
    exec(f"def function(a, b):\n{source}", scope)
    scope["function"] = cuda.jit(device=True)(scope["function"])
    exec("def kernel(a, b):\n    function(a, b)\n", scope)
    kernel = cuda.jit(scope["kernel"])
    kinds = [SHORT[name] for name in types] + [int32] * (2 - len(types))
    text = kernel._source(tuple(map(describe_type, kinds)), "ir")
    return text.partition("function function(")[2].partition(" -> ")[2].partition(" {")[0]


class Types(unittest.TestCase):
    def test_expressions(self) -> None:
        for text, types, expected in rows(TABLE):
            with self.subTest(text=text, types=types):
                self.assertEqual(result_type(f"    return {text}\n", types), expected)

    def test_ranges(self) -> None:
        for text, types, expected in rows(LOOPS):
            with self.subTest(text=text, types=types):
                self.assertEqual(result_type(f"    for i in {text}:\n        pass\n    return i\n", types), expected)

    def test_variables(self) -> None:
        sources = {
            "    s = 0\n    for i in range(3):\n        s += a\n    return s\n": ("f4", "float64"),
            "    s = a\n    if b:\n        s = 1\n    return s\n": ("i1 b", "int64"),
            "    s = a\n    if a > b:\n        s = b\n    return s\n": ("i8 u8", "float64"),
            "    x = a\n    x = 1.5\n    return x\n": ("i8", "float64"),
            "    x = a\n    x += 1\n    return x\n": ("f4", "float64"),
            "    x = float32(0)\n    for i in range(3):\n        x += a\n    return x\n": ("f4", "float32"),
            "    while a > b:\n        a -= b\n    return a\n": ("i4 i4", "int64"),
            "    t = (a, 1)\n    return t[0] + t[1]\n": ("u1", "int64"),
        }
        for source, (types, expected) in sources.items():
            with self.subTest(source=source):
                self.assertEqual(result_type(source, types.split()), expected)


class Values(unittest.TestCase):
    def test_integer_powers(self) -> None:
        @cuda.jit
        def kernel(out, base, exponent):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = base[i] ** exponent[i]

        base = np.array([2, 0, 3, -2, 1, -1, 7, 0], np.int64)
        exponent = np.array([-1, -1, 4, 3, -5, -3, 0, 0], np.int64)
        out = np.zeros(8, np.int64)
        kernel[1, 8](out, base, exponent)
        self.assertEqual(out.tolist(), [0, -(2**63), 81, -8, 1, -1, 1, 1])

    def test_inverse_of_bools(self) -> None:
        @cuda.jit
        def kernel(out, x, flag):
            isDone = False
            while ~isDone:
                out[0] += 1
                isDone = out[0] >= x
            out[1] = ~flag
            out[2] = np.invert(flag)
            if ~(x > 2):
                out[3] = 1

        out = np.zeros(4, np.int64)
        kernel[1, 1](out, 3, False)
        self.assertEqual(out.tolist(), [3, 1, 1, 0])

    def test_division_by_infinities(self) -> None:
        @cuda.jit
        def kernel(out, x, y):
            i = cuda.grid(1)
            if i < x.size:
                out[i, 0] = x[i] // y[i]
                out[i, 1] = x[i] % y[i]
                out[i, 2], out[i, 3] = divmod(x[i], y[i])

        numbers = (1.5, -1.5, 0.0, -0.0, 1e300, 3.0, -3.0, float("inf"), float("-inf"))
        pairs = [(x, y) for x in numbers for y in numbers if y != 0]
        out = np.zeros((len(pairs), 4))
        x, y = map(np.array, zip(*pairs))
        kernel[1, 128](out, x, y)
        self.assertEqual(list(map(repr, out[:, 0].tolist())), [repr(x // y) for x, y in pairs])
        self.assertEqual(list(map(repr, out[:, 1].tolist())), [repr(x % y) for x, y in pairs])
        np.testing.assert_array_equal(out[:, 2:], out[:, :2])

    def test_bits_of_narrow_numbers(self) -> None:
        @cuda.jit
        def kernel(out, a, b):
            out[0] = np.invert(a[0])
            out[1] = np.left_shift(a[0], b[0])
            out[2] = np.bitwise_xor(a[0], b[0])
            out[3] = np.right_shift(np.invert(a[0]), b[0])

        for kind in np.uint8, np.int8, np.uint32:
            a, b = np.array([101], kind), np.array([3], kind)
            out = np.zeros(4, np.int64)
            kernel[1, 1](out, a, b)
            self.assertEqual(out.tolist(), [~a[0], a[0] << b[0], a[0] ^ b[0], ~a[0] >> b[0]], kind)

    def test_reversed_bits(self) -> None:
        @cuda.jit
        def kernel(out, a):
            i = cuda.grid(1)
            out[i] = cuda.brev(i) >> 29
            out[8 + i] = cuda.brev(a[i])

        out = np.zeros(16, np.uint64)
        kernel[1, 8](out, np.arange(8, dtype=np.uint64))
        self.assertEqual(out.tolist(), [0, 4, 2, 6, 1, 5, 3, 7] + [i << 61 for i in (0, 4, 2, 6, 1, 5, 3, 7)])

    def test_bools_and_unsigned_numbers(self) -> None:
        @cuda.jit
        def kernel(out, flag, a):
            out[0] = (flag * a[0] - a[1]) / 2

        out = np.zeros(1)
        kernel[1, 1](out, True, np.array([3, 7], np.uint32))
        self.assertEqual(out[0], -2)

    def test_parts_of_complex_numbers(self) -> None:
        @cuda.jit
        def kernel(out, z, tests):
            i = cuda.grid(1)
            out[i] = np.conj(z[i])
            tests[i] = np.isnan(z[i]) + 2 * np.isinf(z[i]) + 4 * np.isfinite(z[i])

        z = np.array([1 + 2j, complex(np.nan, np.inf), complex(1, -np.inf), complex(np.nan, 0)])
        out, tests = np.zeros(4, complex), np.zeros(4, np.int64)
        kernel[1, 4](out, z, tests)
        np.testing.assert_array_equal(out, np.conj(z))
        np.testing.assert_array_equal(tests, np.isnan(z) + 2 * np.isinf(z) + 4 * np.isfinite(z))

    def test_classes_in_signatures(self) -> None:
        """Of numbers, and dtypes: as typeof() tells them."""

        def fill(out, kind):
            kept = cuda.shared.array(8, dtype=kind)
            kept[cuda.threadIdx.x] = cuda.threadIdx.x + 0.5
            cuda.syncthreads()
            out[cuda.threadIdx.x] = kept[7 - cuda.threadIdx.x]

        whole, halves = [7.0, 6, 5, 4, 3, 2, 1, 0], [7.5, 6.5, 5.5, 4.5, 3.5, 2.5, 1.5, 0.5]
        for kind, expected in (np.int32, whole), (np.float32, halves), (np.dtype("f8"), halves), (np.dtype("u1"), whole):
            self.assertEqual(str(typeof(kind)), ("dtype(%s)" if isinstance(kind, np.dtype) else "class(%s)") % np.dtype(kind).name)
            kernel = cuda.jit(void(float64[::1], typeof(kind)))(fill)
            for form in kernel, cuda.jit(fill).specialize(np.zeros(8), kind):
                out = np.zeros(8)
                form[1, 8](out, kind)
                self.assertEqual(out.tolist(), expected)

    def test_arguments(self) -> None:
        @cuda.jit
        def kernel(out, x):
            out[0] = x

        for value, kind in ((5, "int64"), (-5, "int64"), (2**63, "uint64"), (2.5, "float64"), (True, "bool"), (1j, "complex128"),
                            (np.int8(3), "int8"), (np.uint32(3), "uint32"), (np.float32(3), "float32"),
                            (np.complex64(3), "complex64")):
            kernel[1, 1](np.zeros(1, np.complex128), value)
            self.assertEqual(str(kernel.signatures[-1][-1]), kind, value)

    def test_wraparound_of_narrow_elements(self) -> None:
        @cuda.jit
        def kernel(out, a):
            i = cuda.grid(1)
            if i < a.size:
                out[i] = a[i] * 3 + 250

        for kind in np.uint8, np.int8, np.int16, np.uint32, np.int32:
            a = np.arange(-4, 4).astype(kind)
            out = np.zeros(8, kind)
            kernel[1, 8](out, a)
            np.testing.assert_array_equal(out, (a.astype(np.int64) * 3 + 250).astype(kind))


if __name__ == "__main__":
    main()
