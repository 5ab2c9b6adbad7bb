"""numba.cuda.random: a xoroshiro128+ generator for each thread, the same numbers as numba's.

States are a device array of records of two uint64, one for each generator. Generator i begins 2^64 numbers behind
generator i - 1, so that their sequences do not meet.
"""

import math

from numba import cuda
from numba.cuda.arrays import DeviceNDArray, device_array, to_device
from numba.cuda.written import define, device_function, own_kernel
from numba.types import float32, float64, uint64

__all__ = [
    "create_xoroshiro128p_states", "init_xoroshiro128p_states", "xoroshiro128p_dtype", "xoroshiro128p_next",
    "xoroshiro128p_normal_float32", "xoroshiro128p_normal_float64", "xoroshiro128p_type", "xoroshiro128p_uniform_float32",
    "xoroshiro128p_uniform_float64",
]

_TEXT = """
@device
def xoroshiro128p_next(states, index):
    s0 = states[index]["s0"]
    s1 = states[index]["s1"]
    result = s0 + s1
    s1 ^= s0
    states[index]["s0"] = ((s0 << uint64(55)) | (s0 >> uint64(9))) ^ s1 ^ (s1 << uint64(14))
    states[index]["s1"] = (s1 << uint64(36)) | (s1 >> uint64(28))
    return result

@device
def xoroshiro128p_uniform_float64(states, index):
    return float64(xoroshiro128p_next(states, index) >> uint64(11)) * UNIT

@device
def xoroshiro128p_uniform_float32(states, index):
    return float32(xoroshiro128p_uniform_float64(states, index))

@device
def xoroshiro128p_normal_float32(states, index):
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(-float32(2.0) * math.log(u1)) * math.cos(float32(TWO_PI) * u2)

@device
def xoroshiro128p_normal_float64(states, index):
    u1 = xoroshiro128p_uniform_float64(states, index)
    u2 = xoroshiro128p_uniform_float64(states, index)
    return math.sqrt(-2.0 * math.log(u1)) * math.cos(TWO_PI * u2)

@device
def jumped(columns, s0, s1):
    a = uint64(0)
    b = uint64(0)
    for bit in range(64):
        mask = uint64(0) - ((s0 >> uint64(bit)) & uint64(1))
        a ^= columns[bit, 0] & mask
        b ^= columns[bit, 1] & mask
    for bit in range(64):
        mask = uint64(0) - ((s1 >> uint64(bit)) & uint64(1))
        a ^= columns[64 + bit, 0] & mask
        b ^= columns[64 + bit, 1] & mask
    return a, b

@own_kernel
def fill(states, powers, s0, s1):
    first = cuda.grid(1) * CHUNK
    rest = uint64(first // CHUNK)
    for power in range(1, powers.shape[0]):
        if rest & uint64(1):
            s0, s1 = jumped(powers[power], s0, s1)
        rest >>= uint64(1)
    for i in range(first, min(first + CHUNK, states.size)):
        states[i]["s0"] = s0
        states[i]["s1"] = s1
        s0, s1 = jumped(powers[0], s0, s1)
"""
_CHUNK = 64  # states that a thread makes, one after another
_found = define("random", _TEXT, device=device_function, own_kernel=own_kernel, cuda=cuda, math=math, uint64=uint64, float32=float32,
                float64=float64, UNIT=2.0**-53, TWO_PI=2 * math.pi, CHUNK=_CHUNK)
xoroshiro128p_next = _found["xoroshiro128p_next"]
xoroshiro128p_uniform_float32 = _found["xoroshiro128p_uniform_float32"]
xoroshiro128p_uniform_float64 = _found["xoroshiro128p_uniform_float64"]
xoroshiro128p_normal_float32 = _found["xoroshiro128p_normal_float32"]
xoroshiro128p_normal_float64 = _found["xoroshiro128p_normal_float64"]

_ALL = 2**64 - 1
_JUMP = 0xBEAC0467EBA5FACB | 0xD86B048B86AA9922 << 64  # which of 128 states in a row add up to the one 2^64 further


def __getattr__(name: str):
    """A state's dtype and type need NumPy, which a program without arrays need not have."""
    if name == "xoroshiro128p_dtype":
        return _dtype()
    if name == "xoroshiro128p_type":
        from numba.typing import from_dtype

        return from_dtype(_dtype())
    raise AttributeError(f"module 'numba.cuda.random' has no attribute {name!r}")


def _dtype():
    """Of a state."""
    import numpy

    return numpy.dtype([("s0", numpy.uint64), ("s1", numpy.uint64)], align=True)


def _first_state(seed: int) -> tuple[int, int]:
    """SplitMix64's number for the seed, twice."""
    z = (seed + 0x9E3779B97F4A7C15) & _ALL
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _ALL
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _ALL
    z ^= z >> 31
    return z, z


def _jump_columns():
    """A jump of 2^64 numbers is linear over bits: what it makes of each single bit, as 128 rows of two uint64."""
    import numpy

    bits = numpy.zeros((128, 2), numpy.uint64)
    for bit in range(128):
        bits[bit, bit // 64] = 1 << bit % 64
    s0, s1 = bits[:, 0].copy(), bits[:, 1].copy()
    columns = numpy.zeros((128, 2), numpy.uint64)
    for step in range(128):
        if _JUMP >> step & 1:
            columns[:, 0] ^= s0
            columns[:, 1] ^= s1
        s1 ^= s0
        s0 = (s0 << numpy.uint64(55) | s0 >> numpy.uint64(9)) ^ s1 ^ s1 << numpy.uint64(14)
        s1 = s1 << numpy.uint64(36) | s1 >> numpy.uint64(28)
    return columns


def _apply(columns, states):
    """The linear map to each of the states."""
    import numpy

    result = numpy.zeros_like(states)
    for bit in range(128):
        is_set = states[:, bit // 64] >> numpy.uint64(bit % 64) & numpy.uint64(1) != 0
        result[is_set] ^= columns[bit]
    return result


def _powers(start: int, chunks: int):
    """The first state's jump over `start` generators, and jumps over 1, _CHUNK, 2 * _CHUNK, 4 * _CHUNK ... as columns."""
    import numpy

    jump = _jump_columns()
    power, skipped = jump, []
    for bit in range(64):
        if start >> bit & 1:
            skipped.append(power)
        if bit == _CHUNK.bit_length() - 1:
            strides = power
        power = _apply(power, power) if start >> bit + 1 or bit < _CHUNK.bit_length() - 1 else power
    rows = [jump]
    for _ in range((chunks - 1).bit_length()):
        rows.append(strides)
        strides = _apply(strides, strides)
    return skipped, numpy.array(rows)


def init_xoroshiro128p_states(states: DeviceNDArray, seed: int, subsequence_start: int = 0, stream=0) -> None:
    """Sets the states of generators whose sequences do not meet. subsequence_start: how many such sequences to leave out."""
    import numpy

    chunks = -(-len(states) // _CHUNK)
    skipped, powers = _powers(subsequence_start, chunks)
    first = numpy.array([_first_state(seed)], numpy.uint64)
    for jump in skipped:
        first = _apply(jump, first)
    threads = min(chunks, 64)
    _found["fill"][-(-chunks // threads), threads, stream](states, to_device(powers, stream), *first[0])


def create_xoroshiro128p_states(n: int, seed: int, subsequence_start: int = 0, stream=0) -> DeviceNDArray:
    """A device array with the states of n generators."""
    states = device_array(n, _dtype(), stream=stream)
    if n:
        init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
