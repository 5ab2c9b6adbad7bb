"""numba.np.ufunc.dufunc: what vectorize makes."""

from numba.dufunc import DUFunc
