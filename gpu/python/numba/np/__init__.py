"""numba.np: what programs look for about NumPy's types."""
