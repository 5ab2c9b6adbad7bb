"""numba.np.unsafe: what numba's compiler does not check."""
