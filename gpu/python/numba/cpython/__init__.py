"""numba.cpython: what numba has of Python's own classes."""
