"""numba.typed.typeddict: the dict by its other name."""

from numba.typed import Dict
