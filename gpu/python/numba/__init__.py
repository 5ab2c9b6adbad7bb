"""kiln's own numba."""
__version__ = "0.0.0+kiln"
