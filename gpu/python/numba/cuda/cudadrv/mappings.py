"""numba.cuda.cudadrv.mappings: what the endings of files say of the code in them."""

FILE_EXTENSION_MAP = {"o": "o", "ptx": "ptx", "a": "a", "lib": "a", "cubin": "cubin", "fatbin": "fatbin", "ltoir": "ltoir"}
