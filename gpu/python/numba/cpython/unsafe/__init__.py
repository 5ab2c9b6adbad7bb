"""numba.cpython.unsafe: what numba's compiler does not check."""
