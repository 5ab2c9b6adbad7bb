"""numba.cuda.cudadrv.libs: NVIDIA's libraries by their names."""

import ctypes
import os

import _kiln
from numba.cuda.cuda_paths import get_cuda_paths


def get_cudalib(lib: str, static: bool = False) -> str:
    """Where a library is; without a place, a name for the loader."""
    paths = get_cuda_paths()
    if lib in ("nvrtc", "nvvm") and not static and paths[lib].info:
        return paths[lib].info
    folder = paths["static_cudalib_dir" if static else "cudalib_dir"].info
    name = f"lib{lib}.a" if static else f"lib{lib}.so"
    files = sorted(os.listdir(folder)) if folder and os.path.isdir(folder) else []
    found = [file for file in files if file == name or (not static and file.startswith(name + "."))]
    return os.path.join(folder, found[-1]) if found else name


def open_cudalib(lib: str) -> ctypes.CDLL:
    """The library by ctypes. OSError where there is none."""
    return ctypes.CDLL(get_cudalib(lib))


def get_cuda_include_dir() -> str | None:
    """Where CUDA's headers are."""
    return get_cuda_paths()["include_dir"].info


def test() -> bool:
    """Prints what kernels need and where it is; whether all is there."""
    from numba.cuda.cudadrv.error import CudaSupportError
    from numba.cuda.device import current_context

    compiler, places = _kiln.kernel_compiler()
    print(f"NVRTC: {compiler or 'not found'}; tried:\n{places}", end="")
    try:
        name = current_context().device.name
    except CudaSupportError as error:
        print(f"Device: ERROR: {error}")
        return False
    print(f"Device: {name.decode() if isinstance(name, bytes) else name}")
    return bool(compiler)
