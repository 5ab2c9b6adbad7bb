"""kiln's own numba: the names that programs written for numba use, with plain Python semantics.

kiln serves it when no numba is installed. Decorated functions are the functions themselves; kiln compiles them like any
other, and takes the decoration as a hint that they are worth it.
"""

from numba import core, experimental, extending, typed, types
from numba.core import config, errors
from numba.core.errors import *
from numba.callbacks import carray, cfunc, farray
from numba.decorators import generated_jit, jit, jit_module, njit
from numba.parallel import (
    get_num_threads, get_parallel_chunksize, get_thread_id, parallel_chunksize, pndindex, prange, set_num_threads, set_parallel_chunksize,
    threading_layer,
)
from numba.python_types import as_numba_type
from numba.stencils import stencil
from numba.types import *
from numba.types import Type
from numba.typing import PassThruContainer, from_dtype, literally, literal_unroll, objmode, typeof
from numba.ufuncs import guvectorize, vectorize

__version__ = "0.0.0"
version_info = (0, 0, 0)


def __getattr__(name: str):
    """numba.cuda, loaded when it is asked for; of other names an AttributeError that says whose numba this is."""
    if name == "cuda":
        import importlib

        return importlib.import_module("numba.cuda")
    raise AttributeError(f"kiln's own numba has no {name!r}; install numba for it (kiln then serves that one)")
