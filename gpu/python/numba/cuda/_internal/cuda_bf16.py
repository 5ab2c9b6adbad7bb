"""numba.cuda._internal.cuda_bf16: bfloat16, and functions of it, where numba has them."""

from numba.cuda import bf16
from numba.types import bfloat16

nv_bfloat16 = bfloat16


def __getattr__(name: str):
    """The functions are made when they are first named."""
    return getattr(bf16, name)
