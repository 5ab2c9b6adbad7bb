"""numba.cuda.misc: where programs find literal_unroll."""
