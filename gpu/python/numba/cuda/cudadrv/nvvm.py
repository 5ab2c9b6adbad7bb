"""numba.cuda.cudadrv.nvvm: kiln's kernels go through NVRTC; what asks for NVVM itself is told so."""

from numba.cuda.cudadrv.error import NvvmError, NvvmSupportError
from numba.cuda.cudadrv.nvrtc import get_supported_ccs

__all__ = ["NVVM", "NvvmError", "NvvmSupportError", "compile_ir", "get_supported_ccs", "is_available"]

_TEXT = "kiln makes kernels from CUDA C++ by NVRTC, and has no NVVM"


def is_available() -> bool:
    """Whether LLVM IR could be compiled."""
    return False


class NVVM:
    """NvvmSupportError."""

    def __init__(self) -> None:
        raise NvvmSupportError(_TEXT)


def compile_ir(llvmir, **options):
    """NvvmSupportError."""
    raise NvvmSupportError(_TEXT)
