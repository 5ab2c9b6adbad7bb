"""numba.np.ufunc.decorators: vectorize and guvectorize."""

from numba.ufuncs import guvectorize, vectorize
