"""numba.cuda.datamodel is numba.core.datamodel."""

from numba.core.datamodel import models, register
