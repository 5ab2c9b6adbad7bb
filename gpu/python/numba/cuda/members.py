"""Methods of numbers in kernels."""

import math

from numba.cuda import stubs
from numba.cuda.written import define, device_function

_TEXT = """
@device
def bit_count(number):
    return cuda.popc(abs(number))

@device
def is_integer(number):
    return math.floor(number) == number and math.isfinite(number)
"""
FUNCTIONS = {
    name: value for name, value in define("members", _TEXT, device=device_function, cuda=stubs, math=math).items() if hasattr(value, "py_func")
}
