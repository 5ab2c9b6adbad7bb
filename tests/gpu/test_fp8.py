"""Floats of 8 bits in kernels, against exact rounding."""

import math
import os
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, int8, int16, int32, int64, types, uint8, uint16, uint32, uint64
from numba.core.errors import TypingError
from numba.cuda._internal.cuda_fp8 import (
    _type_fp8_e4m3, cvt_bfloat16raw_to_e8m0, cvt_bfloat16raw_to_fp8, cvt_double2_to_fp8x2, cvt_double_to_e8m0, cvt_double_to_fp8, cvt_e8m0_to_bf16raw,
    cvt_float2_to_e8m0x2, cvt_float2_to_fp8x2, cvt_float_to_e8m0, cvt_float_to_fp8, fp8_e4m3, fp8_e5m2, fp8_e8m0, fp8_interpretation_t, fp8x2_e4m3,
    fp8x4_e5m2, saturation_t)
from numba.types import bfloat16, float16

KINDS = {"e4m3": (fp8_e4m3, 3, 7, 0x7E), "e5m2": (fp8_e5m2, 2, 15, 0x7B)}
RNG = np.random.default_rng(3)
UP, DOWN = 2, 1  # of cudaRoundMode: towards infinity, towards zero


def value_of(kind: str, code: int) -> float:
    """What a finite code without a sign stands for."""
    _, digits, bias, _ = KINDS[kind]
    exponent, fraction = code >> digits, code & ((1 << digits) - 1)
    return math.ldexp(fraction, 1 - bias - digits) if exponent == 0 else math.ldexp((1 << digits) + fraction, exponent - bias - digits)


def code_of(kind: str, number: float, saturates: bool = True) -> int:
    """The nearest code, a tie to the even one; none is too large with saturation."""
    _, digits, _, most = KINDS[kind]
    sign = 0x80 if math.copysign(1, number) < 0 else 0
    size = abs(number)
    if number != number:
        return 0x7F
    codes = range(most + 2)
    values = [value_of(kind, code) for code in codes]
    above = next((code for code in codes if values[code] >= size), most + 1)
    if above and above <= most + 1 and values[above] != size:
        below = above - 1
        middle = (values[above] + values[below]) / 2
        above = below if size < middle or (size == middle and below % 2 == 0) else above
    if size > values[most + 1]:
        above = most + 1
    return sign | (above if above <= most else most if saturates else 0x7F if kind == "e4m3" else 0x7C)


def numbers(dtype) -> np.ndarray:
    some = np.concatenate([RNG.normal(0, 10.0**power, 60) for power in range(-6, 7)])
    exact = [value_of(kind, code) for kind in KINDS for code in range(0, 0x7C)]
    middles = [(value_of(kind, code) + value_of(kind, code + 1)) / 2 for kind in KINDS for code in range(0, 0x7B)]
    with np.errstate(over="ignore"):
        return np.concatenate([some, exact, middles, np.negative(middles), [0.0, -0.0, 464, 465, 61439, 61440, 1e30, -1e30, math.inf, -math.inf, math.nan]]).astype(dtype)


def applied(text: str, result, given: np.ndarray) -> np.ndarray:
    """What a kernel makes of each number x."""
    scope = dict(globals())
    exec(f"def kernel(xs, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        x = xs[i]\n        out[i] = {text}\n", scope)
    out = np.zeros(given.size, result)
    cuda.jit(scope["kernel"])[(out.size + 127) // 128, 128](given, out)
    return out


class Rounding(unittest.TestCase):
    def test_constructors(self) -> None:
        for kind in KINDS:
            for dtype in (np.float16, np.float32, np.float64):
                given = numbers(dtype)
                got = applied(f"fp8_{kind}(x).__x", np.uint8, given)
                for number, code in zip(given.tolist(), got.tolist()):
                    expected = code_of(kind, number)
                    if number != number and dtype == np.float64:  # keeps its sign and its first bits, as cuda_fp8.h says
                        self.assertIn(code & 0x7F, (0x7F, 0x7E))
                        continue
                    self.assertEqual(code, expected, (kind, dtype, number))

    def test_integers(self) -> None:
        for kind in KINDS:
            for name, dtype in (("int8", np.int8), ("int16", np.int16), ("uint16", np.uint16), ("int32", np.int32), ("int64", np.int64), ("uint64", np.uint64)):
                info = np.iinfo(dtype)
                some = [*range(-70, 500, 3), 464, 465, 57344, 61439, 61440, 70000, info.max, info.min]
                given = np.array([number for number in some if info.min <= number <= info.max], dtype)
                got = applied(f"fp8_{kind}(x).__x", np.uint8, given)
                self.assertEqual(got.tolist(), [code_of(kind, float(number)) if number else 0 for number in given.tolist()], (kind, name))

    def test_what_is_too_large(self) -> None:
        for kind, way in (("e4m3", "E4M3"), ("e5m2", "E5M2")):
            for function, dtype in (("float", np.float32), ("double", np.float64)):
                given = numbers(dtype)
                given = given[~np.isnan(given)]
                for saturation, saturates in (("NOSAT", False), ("SATFINITE", True)):
                    got = applied(f"cvt_{function}_to_fp8(x, saturation_t.{saturation}, fp8_interpretation_t.{way})", np.uint8, given)
                    self.assertEqual(got.tolist(), [code_of(kind, number, saturates) for number in given.tolist()])
        nan = np.full(1, math.nan, np.float32)
        self.assertEqual(applied("cvt_float_to_fp8(x, saturation_t.NOSAT, fp8_interpretation_t.E5M2)", np.uint8, nan).tolist(), [0x7F])

    def test_scales(self) -> None:
        given = np.concatenate([np.ldexp(1.0, np.arange(-135, 128)), np.ldexp(1.25, np.arange(-135, 127)), [0.0, -3.0]])
        for dtype, function in ((np.float32, "float"), (np.float64, "double")):
            some = given.astype(dtype)
            for rounding, whole in ((UP, math.ceil), (DOWN, math.floor)):
                got = applied(f"cvt_{function}_to_e8m0(x, saturation_t.SATFINITE, {rounding})", np.uint8, some)
                expected = [0 if number == 0 else min(max(int(whole(math.log2(abs(number)))) + 127, 0), 254) for number in some.tolist()]
                self.assertEqual(got.tolist(), expected)
        edge = np.array([np.nextafter(np.float32(2.0**127), np.float32(np.inf)), np.inf, np.nan], np.float32)
        self.assertEqual(applied("cvt_float_to_e8m0(x, saturation_t.NOSAT, 2)", np.uint8, edge).tolist(), [255, 255, 255])
        self.assertEqual(applied("cvt_float_to_e8m0(x, saturation_t.SATFINITE, 2)", np.uint8, edge).tolist(), [254, 254, 255])
        self.assertEqual(applied("cvt_double_to_e8m0(x, saturation_t.NOSAT, 1)", np.uint8, np.array([1e300, np.inf])).tolist(), [254, 255])
        self.assertEqual(applied("fp8_e8m0(x).__x", np.uint8, np.array([0, 1, 2, 3, 4, 5, -6, 2**62 + 1, -(2**63)])).tolist(), [0, 127, 128, 129, 129, 130, 130, 190, 190])


class Numbers(unittest.TestCase):
    def decoded(self, kind: str, text: str, result) -> tuple[list, np.ndarray]:
        """The finite numbers of a kind, each by its bits, and what a kernel makes of them."""
        most = KINDS[kind][3]
        numbers = [value_of(kind, code) for code in range(most + 1)]
        given = np.array(numbers + [-number for number in numbers])
        return given.tolist(), applied(text, result, given)

    def test_floats(self) -> None:
        for kind in KINDS:
            for name, dtype in (("float32", np.float32), ("float64", np.float64), ("float16", np.float16), ("float", np.float64), ("np.float32", np.float32)):
                given, got = self.decoded(kind, f"{name}(fp8_{kind}(x))", dtype)
                np.testing.assert_array_equal(got.astype(float), given)
            given, got = self.decoded(kind, f"float32(bfloat16(fp8_{kind}(x)))", np.float32)
            np.testing.assert_array_equal(got, given)
            special = applied(f"float32(fp8_{kind}(x))", np.float32, np.array([math.nan, -0.0]))
            self.assertTrue(np.isnan(special[0]) and np.signbit(special[1]))
        codes = np.arange(256, dtype=np.uint8)
        got = applied("float32(fp8_e8m0(math.ldexp(1.0, int32(x) - 127)))", np.float32, codes[:255])
        np.testing.assert_array_equal(got, np.ldexp(np.float32(1), np.arange(255) - 127))
        infinite = np.full(1, math.inf)
        self.assertEqual(applied("float32(fp8_e5m2(x))", np.float32, infinite).tolist(), [57344])

    def test_integers(self) -> None:
        for kind in KINDS:
            for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int"):
                dtype = np.dtype("int64" if name == "int" else name)
                given, got = self.decoded(kind, f"{name}(fp8_{kind}(x))", dtype)
                info = np.iinfo(dtype)
                self.assertEqual(got.tolist(), [min(max(int(number), info.min), info.max) for number in given], (kind, name))
            nan = np.full(1, math.nan)
            self.assertEqual([int(applied(f"{name}(fp8_{kind}(x))", name, nan)[0]) for name in ("int8", "uint32", "int64", "uint64")], [0, 0, -(2**63), 2**63])
            given, got = self.decoded(kind, f"bool(fp8_{kind}(x))", np.bool_)
            self.assertEqual(got.tolist(), [number != 0 for number in given])

    def test_raw(self) -> None:
        codes = np.arange(256, dtype=np.uint8)
        bits = applied("cvt_e8m0_to_bf16raw(x).x", np.uint16, codes)
        self.assertEqual(bits.tolist(), [0x40, *(code << 7 for code in range(1, 255)), 0x7FFF])
        for rounding in (UP, DOWN):
            self.assertEqual(applied(f"cvt_bfloat16raw_to_e8m0(cvt_e8m0_to_bf16raw(x), saturation_t.NOSAT, {rounding})", np.uint8, codes).tolist(), codes.tolist())
        got = applied("cvt_bfloat16raw_to_fp8(cvt_e8m0_to_bf16raw(x), saturation_t.NOSAT, fp8_interpretation_t.E5M2)", np.uint8, np.array([254, 127], np.uint8))
        self.assertEqual(got.tolist(), [0x7C, 0x3C])

    def test_vectors(self) -> None:
        @cuda.jit
        def kernel(x, codes, back):
            pair = cuda.float32x2(x[0], x[1])
            codes[0] = cvt_float2_to_fp8x2(pair, saturation_t.SATFINITE, fp8_interpretation_t.E4M3)
            codes[1] = cvt_double2_to_fp8x2(cuda.float64x2(x[0], x[1]), saturation_t.SATFINITE, fp8_interpretation_t.E5M2)
            codes[2] = cvt_float2_to_e8m0x2(pair, saturation_t.SATFINITE, 2)
            codes[3] = fp8x2_e4m3(pair).__x
            both = cuda.float32x2(fp8x2_e4m3(pair))
            back[0], back[1] = both.x, both.y
            four = cuda.float32x4(fp8x4_e5m2(cuda.float32x4(x[0], x[1], x[2], x[3])))
            back[2], back[3], back[4], back[5] = four.x, four.y, four.z, four.w

        codes, back = np.zeros(4, np.uint16), np.zeros(6, np.float32)
        kernel[1, 1](np.array([1.5, -3.0, 0.5, 1e9], np.float32), codes, back)
        low = [code_of("e4m3", 1.5), code_of("e5m2", 1.5), 128, code_of("e4m3", 1.5)]
        high = [code_of("e4m3", -3.0), code_of("e5m2", -3.0), 129, code_of("e4m3", -3.0)]
        self.assertEqual(codes.tolist(), [a | b << 8 for a, b in zip(low, high)])
        self.assertEqual(back.tolist(), [1.5, -3.0, 1.5, -3.0, 0.5, 57344.0])

    def test_arrays_and_functions(self) -> None:
        """A value of such a type is passed to functions, and kept in arrays of the kernel."""

        @cuda.jit(device=True)
        def doubled(x):
            return fp8_e4m3(float32(x) + float32(x))

        @cuda.jit
        def kernel(x, out):
            kept = cuda.local.array(4, _type_fp8_e4m3)
            for i in range(4):
                kept[i] = doubled(fp8_e4m3(x[i]))
            for i in range(4):
                out[i] = float32(kept[3 - i])

        out = np.zeros(4, np.float32)
        kernel[1, 1](np.array([1, 1.25, -3, 400], np.float32), out)
        self.assertEqual(out.tolist(), [448, -6, 2.5, 2])

    def test_names(self) -> None:
        from numba.cuda import fp8

        self.assertTrue(cuda.is_fp8_supported())
        self.assertIs(fp8.fp8_e4m3, fp8_e4m3)
        self.assertEqual((str(_type_fp8_e4m3), _type_fp8_e4m3.bitwidth), ("fp8_e4m3", 8))
        self.assertRaises(TypeError, cvt_float_to_fp8, 1.0, 0, 0)
        with self.assertRaises(TypingError):
            applied("fp8_e4m3(x) + fp8_e4m3(x)", np.float32, np.zeros(1))


HEADER = """
#include <cuda_fp8.h>
extern "C" __device__ int code(unsigned char* out, double x, int isDouble, int saturates, int kind) {
    auto saturation = saturates ? __NV_SATFINITE : __NV_NOSAT;
    auto how = kind ? __NV_E5M2 : __NV_E4M3;
    *out = isDouble ? __nv_cvt_double_to_fp8(x, saturation, how) : __nv_cvt_float_to_fp8((float)x, saturation, how);
    return 0;
}
extern "C" __device__ int scale(unsigned char* out, double x, int isDouble, int saturates, int isUp) {
    auto saturation = saturates ? __NV_SATFINITE : __NV_NOSAT;
    auto rounding = isUp ? cudaRoundPosInf : cudaRoundZero;
    *out = isDouble ? __nv_cvt_double_to_e8m0(x, saturation, rounding) : __nv_cvt_float_to_e8m0((float)x, saturation, rounding);
    return 0;
}
extern "C" __device__ int number(float* out, double x, int kind) {
    *out = kind ? (float)__nv_fp8_e5m2(x) : (float)__nv_fp8_e4m3(x);
    return 0;
}
extern "C" __device__ int whole(long long* out, double x, int kind) {
    *out = kind ? (long long)__nv_fp8_e5m2(x) : (long long)__nv_fp8_e4m3(x);
    return 0;
}
"""


@unittest.skipUnless(os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu"), "CUDA's header is for GPUs")
class AgainstHeader(unittest.TestCase):
    """What CUDA's own header makes of the same numbers, bit for bit."""

    def test_same(self) -> None:
        link = cuda.CUSource(HEADER)
        code = cuda.declare_device("code", "uint8(float64, int32, int32, int32)", link=link)
        scale = cuda.declare_device("scale", "uint8(float64, int32, int32, int32)", link=link)
        number = cuda.declare_device("number", "float32(float64, int32)", link=link)
        whole = cuda.declare_device("whole", "int64(float64, int32)", link=link)

        @cuda.jit
        def theirs(xs, codes, scales, numbers, wholes):
            i = cuda.grid(1)
            if i < xs.size:
                for k in range(8):
                    codes[k, i] = code(xs[i], k & 1, (k >> 1) & 1, k >> 2)
                    scales[k, i] = scale(xs[i], k & 1, (k >> 1) & 1, k >> 2)
                for k in range(2):
                    numbers[k, i] = number(xs[i], k)
                    wholes[k, i] = whole(xs[i], k)

        @cuda.jit
        def ours(xs, codes, scales, numbers, wholes):
            i = cuda.grid(1)
            if i < xs.size:
                x = xs[i]
                for k in range(4):
                    saturate, how = k & 1, k >> 1
                    codes[2 * k, i] = cvt_float_to_fp8(float32(x), saturate, how)
                    codes[2 * k + 1, i] = cvt_double_to_fp8(x, saturate, how)
                    scales[2 * k, i] = cvt_float_to_e8m0(float32(x), saturate, 1 + how)
                    scales[2 * k + 1, i] = cvt_double_to_e8m0(x, saturate, 1 + how)
                numbers[0, i], numbers[1, i] = float32(fp8_e4m3(x)), float32(fp8_e5m2(x))
                wholes[0, i], wholes[1, i] = int64(fp8_e4m3(x)), int64(fp8_e5m2(x))

        bits = RNG.integers(0, 2**64, 20000, dtype=np.uint64).view(np.float64)
        near = RNG.integers(0, 2**32, 20000, dtype=np.uint64).astype(np.uint32).view(np.float32).astype(np.float64)
        xs = np.concatenate([numbers(np.float64), bits, near, np.ldexp(RNG.uniform(-2, 2, 20000), RNG.integers(-20, 20, 20000))])
        results = []
        for kernel in (theirs, ours):
            made = [np.zeros((count, xs.size), dtype) for count, dtype in ((8, np.uint8), (8, np.uint8), (2, np.float32), (2, np.int64))]
            kernel[(xs.size + 127) // 128, 128](xs, *made)
            results.append(made)
        for their, our in zip(*results):
            np.testing.assert_array_equal(our, their)


main()
