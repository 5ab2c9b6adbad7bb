"""Floats of 8 bits as what they are made of: device functions from numbers to bits and back, as CUDA's cuda_fp8.h converts them."""

import math

from numba import types
from numba.cuda.written import define, device_function

_TEXT = """
@device
def bits_of(x):
    cell = cuda.local.array(1, float64)
    cell[0] = x
    return cell.view(uint64)[0]

@device
def float_of(bits):
    cell = cuda.local.array(1, uint32)
    cell[0] = bits
    return cell.view(float32)[0]

@device
def plain(x):
    # What is no number loses its sign and has all bits else.
    if x == x:
        return float64(x)
    cell = cuda.local.array(1, uint64)
    cell[0] = (uint64(1) << uint64(63)) - uint64(1)
    return cell.view(float64)[0]

@device
def of_unsigned(x):
    # What is lost beyond 53 bits is one bit, which says on which side of a tie the number was.
    wide = uint64(x)
    if wide < uint64(1) << uint64(53):
        return float64(wide)
    kept = (wide >> uint64(11)) | (uint64(1) if wide & uint64(2047) != uint64(0) else uint64(0))
    return float64(kept) * 2048.0

@device
def of_signed(x):
    wide = int64(x)
    return of_unsigned(uint64(wide)) if wide >= 0 else -of_unsigned(uint64(0) - uint64(wide))

@device
def rounded(x, saturates, digits, lowest, most, too_large):
    # `digits` bits of fraction; `lowest` is the exponent of the smallest normal number, `most` the largest number's bits.
    bits = bits_of(x)
    sign = uint8((bits >> uint64(56)) & uint64(128))
    size = abs(x)
    exponent = int64((bits >> uint64(52)) & uint64(2047)) - 1023
    code = int64(255)
    if exponent < 17:
        exponent = max(exponent, lowest)
        code = int64(np.rint(math.ldexp(size, int32(digits - exponent)))) + ((exponent - lowest) << digits)
    if code > most:
        code = int64(most) if saturates else int64(too_large)
    return uint8(uint8(code) | sign)

@device
def of_e4m3(x, saturates):
    if x != x:
        return uint8(uint8(127) | uint8((bits_of(x) >> uint64(56)) & uint64(128)))
    return rounded(x, saturates, 3, -6, 126, 127)

@device
def of_e5m2(x, saturates):
    if x != x:
        bits = bits_of(x)
        return uint8(uint8(126) | uint8((bits >> uint64(50)) & uint64(3)) | uint8((bits >> uint64(56)) & uint64(128)))
    return rounded(x, saturates, 2, -14, 123, 124)

@device
def as_said(x, saturate, how):
    return of_e5m2(x, saturate == 1) if how == 1 else of_e4m3(x, saturate == 1)

@device
def scaled(x, upward, saturates):
    # The exponent alone, whatever the sign.
    if x != x:
        return uint8(255)
    bits = bits_of(x)
    exponent = int64((bits >> uint64(52)) & uint64(2047)) - 1023
    fraction = bits & ((uint64(1) << uint64(52)) - uint64(1))
    code = min(exponent, 127) + 127
    if exponent == 1024:
        code = int64(255)
    elif upward and (exponent > 127 or fraction != uint64(0)):
        code += 1
    return uint8(254 if saturates and code == 255 else max(code, 0))

@device
def scale_bits(code):
    # Of a bfloat16.
    if code == uint8(255):
        return uint16(32767)
    return uint16(64) if code == uint8(0) else uint16(uint16(code) << uint16(7))

@device
def from_scale(code):
    return float_of(uint32(scale_bits(code)) << uint32(16))

@device
def widened(code, digits, bias):
    # Not for what is no number and no finite one.
    part = uint32(code & uint8(127))
    sign = uint32(code & uint8(128)) << uint32(24)
    fraction = part & uint32((1 << digits) - 1)
    exponent = part >> uint32(digits)
    if exponent == uint32(0):
        size = math.ldexp(float32(fraction), int32(1 - bias - digits))
        return -size if sign != uint32(0) else size
    return float_of(sign | ((exponent + uint32(127 - bias)) << uint32(23)) | (fraction << uint32(23 - digits)))

@device
def from_e4m3(code):
    return float_of(uint32(0x7fffffff)) if code & uint8(127) == uint8(127) else widened(code, 3, 7)

@device
def from_e5m2(code):
    part = code & uint8(127)
    if part >= uint8(124):
        return float_of(uint32(0x7fffffff)) if part > uint8(124) else float_of((uint32(code & uint8(128)) << uint32(24)) | uint32(0x7f800000))
    return widened(code, 2, 15)

@device
def from_raw(bits):
    return float_of(uint32(bits) << uint32(16))

@device
def cut(x, kind, low, high, least, most, none):
    # The nearest that the type has; `none` for what is no number.
    if x != x:
        return none
    if x <= low:
        return least
    return most if x >= high else kind(x)
"""


def _functions() -> dict:
    import numpy
    from numba import cuda

    kinds = {name: getattr(types, name) for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()}
    return define("fp8_bits", _TEXT, device=device_function, math=math, np=numpy, cuda=cuda, **kinds)


_made = _functions()
FUNCTIONS = {name: _made[name] for name in "plain of_unsigned of_signed of_e4m3 of_e5m2 as_said scaled scale_bits from_scale from_e4m3 from_e5m2 from_raw cut".split()}
FUNCTIONS["from_e8m0"] = FUNCTIONS.pop("from_scale")
