"""numba.cuda.cudadrv.runtime: the version of CUDA."""

import re

import _kiln


def get_version() -> tuple[int, int]:
    """That of the NVRTC which compiles kernels; (0, 0) where none is found."""
    found = re.match(r"(\d+)\.(\d+)", _kiln.kernel_compiler()[0])
    return (int(found[1]), int(found[2])) if found else (0, 0)


class Runtime:
    """What programs ask the runtime."""

    supported_versions = ((12, 0), (12, 1), (12, 2), (12, 3), (12, 4), (12, 5), (12, 6), (12, 8), (12, 9), (13, 0), (13, 1))

    def get_version(self) -> tuple[int, int]:
        """As the function of this name."""
        return get_version()

    def is_supported_version(self) -> bool:
        """Whether kernels can be compiled with it."""
        return get_version() >= (11, 2)


runtime = Runtime()
