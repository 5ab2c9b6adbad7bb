"""numba.cuda.types is numba.types, with what only kernels have."""

from numba.core.types import *
from numba.types import *
from numba.types import (
    Array, Boolean, CharSeq, Complex, CPointer, Float, Integer, Literal, NamedTuple, NamedUniTuple, Number, Optional, Record, Signature,
    Tuple, Type, UnicodeCharSeq, UniTuple, voidptr,
)

__path__: list = []  # the modules in it: numba.cuda.internals


class Dim3(Type):
    """Of threadIdx and its kin."""


class GridGroup(Type):
    """Of cg.this_grid()."""


dim3 = Dim3("Dim3")
grid_group = GridGroup("GridGroup")
