"""numba.np.ufunc.gufunc: what guvectorize makes."""

from numba.gufunc import GUFunc
