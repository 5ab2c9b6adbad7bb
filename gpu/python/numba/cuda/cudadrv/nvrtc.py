"""numba.cuda.cudadrv.nvrtc: the compiler that kernels and texts in CUDA C++ go through."""

from numba.cuda.cudadrv.error import NvrtcCompilationError, NvrtcError


def get_supported_ccs() -> tuple:
    """Compute capabilities of the devices that are there."""
    from numba.cuda.device import gpus

    return tuple(sorted({device.compute_capability for device in gpus}))


def get_lowest_supported_cc() -> tuple[int, int]:
    """The least of them."""
    return get_supported_ccs()[0]


class NVRTC:
    """What programs ask the compiler."""

    def get_version(self) -> tuple[int, int]:
        """Its version; (0, 0) where none is found."""
        from numba.cuda.cudadrv.runtime import get_version

        return get_version()

    def get_supported_archs(self) -> tuple:
        """Compute capabilities of the devices that are there."""
        return get_supported_ccs()


def compile(src, name, cc, ltoir=False, lineinfo=False, debug=False):
    """NotImplementedError: texts in CUDA C++ are linked into kernels."""
    raise NotImplementedError("kiln compiles CUDA C++ for kernels only: cuda.jit(link=[cuda.CUSource(text)]) with cuda.declare_device")
