"""numba.cuda.np.numpy_support: numba.np.numpy_support."""

from numba.np.numpy_support import *
from numba.np.numpy_support import __getattr__
from numba.typing import from_dtype
