"""numba.core.typing: signatures."""

from numba.types import Signature, Type
from numba.typing import typeof


def signature(return_type: Type, *args: Type, recvr=None) -> Signature:
    """A function's signature."""
    return Signature(return_type, args)
