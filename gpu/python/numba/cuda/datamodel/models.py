"""numba.cuda.datamodel.models is numba.core.datamodel.models."""

from numba.core.datamodel.models import *
