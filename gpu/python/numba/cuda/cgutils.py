"""numba.cuda.cgutils is numba.core.cgutils."""

from numba.core.cgutils import __getattr__, create_struct_proxy
