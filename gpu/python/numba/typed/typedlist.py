"""numba.typed.typedlist: the list by its other name."""

from numba.typed import List
