"""Random numbers in loops over prange: each block of iterations has generators of its own, seeded by Python's and NumPy's.

So a program that seeds those gets the same numbers in each run, on any number of cores; they are other numbers than in order.
"""

import math
import sys

from numba.cuda import shared
from numba.cuda.written import define, device_function
from numba.types import float64, int64, uint64

# Generators are xoroshiro128**; their states are two words each at the beginning of the block's memory. SplitMix64 seeds them.
_TEXT = """
@device
def mixed(z):
    z = (z ^ (z >> uint64(30))) * FIRST
    z = (z ^ (z >> uint64(27))) * SECOND
    return z ^ (z >> uint64(31))

@device
def begin(block, numpy_seed, python_seed):
    state = memory(0, uint64)
    step = uint64(block) * uint64(2) + uint64(1)
    state[0] = mixed(uint64(numpy_seed) + step * GOLDEN)
    state[1] = mixed(uint64(numpy_seed) + (step + uint64(1)) * GOLDEN)
    state[2] = mixed(uint64(python_seed) + step * GOLDEN)
    state[3] = mixed(uint64(python_seed) + (step + uint64(1)) * GOLDEN)

@device
def drawn(at):
    state = memory(0, uint64)
    s0 = state[at]
    s1 = state[at + 1]
    result = s0 * uint64(5)
    result = ((result << uint64(7)) | (result >> uint64(57))) * uint64(9)
    s1 ^= s0
    state[at] = ((s0 << uint64(24)) | (s0 >> uint64(40))) ^ s1 ^ (s1 << uint64(16))
    state[at + 1] = (s1 << uint64(37)) | (s1 >> uint64(27))
    return result

@device
def unit(at):
    return float64(drawn(at) >> uint64(11)) * UNIT

@device
def standard(at):
    radius = math.sqrt(-2.0 * math.log(1.0 - unit(at)))
    return radius * math.cos(TWO_PI * unit(at))

@device
def below(at, n):
    if n <= 0:
        raise ValueError("empty range for random integers")
    return int64(drawn(at) % uint64(n))
"""
_OF_EACH = """
@device
def random():
    return unit(AT)

@device
def uniform(low=0.0, high=1.0):
    return low + (high - low) * unit(AT)

@device
def normal(loc=0.0, scale=1.0):
    return loc + scale * standard(AT)

@device
def exponential(scale=1.0):
    return -scale * math.log(1.0 - unit(AT))

@device
def expovariate(lambd=1.0):
    return -math.log(1.0 - unit(AT)) / lambd

@device
def below_end(high):
    return below(AT, high)

@device
def between(low, high):
    return low + below(AT, high - low)

@device
def within(a, b):
    return a + below(AT, b - a + 1)
"""
_NUMPY = {"rand": "random", "random": "random", "random_sample": "random", "ranf": "random", "uniform": "uniform", "normal": "normal",
          "randn": "standard", "standard_normal": "standard", "exponential": "exponential", "standard_exponential": "expovariate"}
_PYTHON = {"random": "random", "uniform": "uniform", "gauss": "normal", "normalvariate": "normal", "expovariate": "expovariate", "randint": "within"}

_base = define("prange_random", _TEXT, device=device_function, memory=shared.array, math=math, uint64=uint64, float64=float64, int64=int64,
               UNIT=2.0**-53, TWO_PI=2 * math.pi, FIRST=uint64(0xBF58476D1CE4E5B9), SECOND=uint64(0x94D049BB133111EB),
               GOLDEN=uint64(0x9E3779B97F4A7C15))
begin = _base["begin"]
_found: dict = {}


def _functions(name: str, at: int) -> dict:
    text = _OF_EACH + "\n@device\ndef standard_one():\n    return standard(AT)\n"
    made = define(f"prange_random {name}", text, device=device_function, math=math, AT=at,
                  **{own: _base[own] for own in ("unit", "standard", "below")})
    return {**made, "standard": made["standard_one"]}


def _fill() -> None:
    import random

    made = _functions("random", 2)
    for name, own in _PYTHON.items():
        _found[getattr(random, name)] = {None: made[own]}
    _found[random.randrange] = {1: made["below_end"], 2: made["between"]}
    if "numpy" in sys.modules:
        generator = sys.modules["numpy"].random
        made = _functions("numpy", 0)
        for name, own in _NUMPY.items():
            _found[getattr(generator, name)] = {None: made[own]}
        _found[generator.randint] = {1: made["below_end"], 2: made["between"]}


def find(callee, count: int):
    """The function that stands for one of random's or numpy.random's with so many arguments; None for another."""
    if getattr(callee, "__self__", None) is None or not callable(callee):
        return None
    if not _found:
        _fill()
    try:
        forms = _found.get(callee, {})
    except TypeError:  # what has no hash
        return None
    made = forms.get(None) or forms.get(count)
    return made.py_func if made is not None else None


def seeds() -> tuple[int, int]:
    """Of one run of a loop: from NumPy's generator and from Python's."""
    import random

    numpy = sys.modules.get("numpy")
    own = int.from_bytes(numpy.random.bytes(8), "little") >> 1 if numpy is not None else 0
    return own, random.getrandbits(63)
