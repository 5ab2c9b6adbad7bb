"""numba.cuda.cudadrv.nvrtc: the compiler that kernels and texts in CUDA C++ go through."""

import _kiln
from numba.cuda.cudadrv.error import CCSupportError, NvrtcCompilationError, NvrtcError


def get_supported_ccs() -> tuple:
    """Compute capabilities of the devices that are there."""
    from numba.cuda.device import gpus

    return tuple(sorted({device.compute_capability for device in gpus}))


def get_lowest_supported_cc() -> tuple[int, int]:
    """The least of them."""
    return get_supported_ccs()[0]


def find_closest_arch(cc: tuple[int, int]) -> tuple[int, int]:
    """Of those, the newest that is not newer than `cc`. CCSupportError where all are newer."""
    older = [known for known in get_supported_ccs() if known <= tuple(cc)]
    if not older:
        raise CCSupportError("GPU compute capability %d.%d is not supported (requires >=%d.%d)" % (*cc, *get_lowest_supported_cc()))
    return older[-1]


def get_arch_option(major: int, minor: int, arch: str = "") -> str:
    """What the compiler is told for code of a compute capability. ValueError where `arch` asks for exactly one that is not there."""
    closest = find_closest_arch((major, minor))
    if arch and closest != (major, minor):
        raise ValueError(f"Can't use arch-specific compute_{major}{minor}{arch} with closest found compute capability "
                         f"compute_{closest[0]}{closest[1]}")
    return f"compute_{closest[0]}{closest[1]}{arch}"


class NVRTC:
    """What programs ask the compiler."""

    def get_version(self) -> tuple[int, int]:
        """Its version; (0, 0) where none is found."""
        from numba.cuda.cudadrv.runtime import get_version

        return get_version()

    def get_supported_archs(self) -> tuple:
        """Compute capabilities of the devices that are there."""
        return get_supported_ccs()


def compile(src, name, cc, ltoir=False, lineinfo=False, debug=False) -> tuple:
    """CUDA C++ as PTX or LTO-IR for a compute capability, and the compiler's text, which is empty. NvrtcCompilationError has the text of errors."""
    from numba.cuda.cudadrv.modules import ObjectCode

    kind = "ltoir" if ltoir else "ptx"
    text = src.encode() if isinstance(src, str) else bytes(src)
    options = ("-lineinfo",) * bool(lineinfo) + ("-G",) * bool(debug)
    return ObjectCode(_kiln.kernel_compile_text(text, name, capability(cc), kind, options), kind, name), ""


def capability(cc: tuple) -> int:
    """90 for (9, 0). NotImplementedError for those of one architecture alone, as (9, 0, "a")."""
    if len(cc) == 3 and cc[2]:
        raise NotImplementedError(f"kiln makes code for sm_{cc[0]}{cc[1]}, which sm_{cc[0]}{cc[1]}{cc[2]} runs, and none for that alone")
    return cc[0] * 10 + cc[1]
