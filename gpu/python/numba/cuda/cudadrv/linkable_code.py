"""numba.cuda.cudadrv.linkable_code: code of other languages for kernels."""

from numba.cuda.linking import LTOIR, Archive, Cubin, CUSource, Fatbin, LinkableCode, Object, PTXSource
