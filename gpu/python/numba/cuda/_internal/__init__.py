"""numba.cuda._internal: where numba keeps what is generated from CUDA's headers; its other modules are numba.cuda.internals'."""
