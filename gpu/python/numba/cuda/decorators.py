"""numba.cuda.decorators: jit and declare_device under their other name."""

from numba.cuda.dispatcher import jit
from numba.cuda.linking import declare_device
