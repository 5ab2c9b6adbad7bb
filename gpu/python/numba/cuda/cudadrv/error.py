"""numba.cuda.cudadrv.error: what is wrong with the machine."""


class CudaSupportError(ImportError):
    """No GPU can be used; the message says why."""


class CudaDriverError(Exception):
    """The driver was used wrongly."""


class CudaForkError(CudaSupportError, CudaDriverError):
    """The process was forked from one that had used the GPU."""


class CudaRuntimeError(Exception):
    """Never raised by kiln; for those who name it."""


class LinkerError(RuntimeError):
    """Code cannot be linked, or not loaded as it is."""


class CCSupportError(Exception):
    """The device is too old."""


class DataRaceError(RuntimeError):
    """Under KILN_DEBUG=1: two threads access an element, one of them writes it, and nothing says which comes first."""


class UninitializedMemoryError(RuntimeError):
    """Under KILN_DEBUG=1: a thread reads an element of a shared or local array that nothing has written."""


class NvrtcError(Exception):
    """NVRTC failed."""


class NvrtcCompilationError(NvrtcError):
    """NVRTC does not compile a kernel."""


class NvvmError(Exception):
    """Never raised by kiln; for those who name it."""


class NvvmSupportError(ImportError):
    """A program asks for NVVM, which kiln does without."""
