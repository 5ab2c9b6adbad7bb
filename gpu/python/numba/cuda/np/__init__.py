"""numba.cuda.np: where programs find numpy_support."""
