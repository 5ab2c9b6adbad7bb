"""numba.cuda.models: models for kernels, which are those of numba.core."""

from numba.core.datamodel.models import *
from numba.structures import register_model
