"""numba.core.datamodel: models say what values of a type consist of."""

from numba.core.datamodel import models
from numba.structures import register_model as register
