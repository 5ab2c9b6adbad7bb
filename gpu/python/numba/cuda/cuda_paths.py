"""numba.cuda.cuda_paths: where the libraries are that kernels need."""

import collections
import os

import _kiln

_env_path_tuple = collections.namedtuple("_env_path_tuple", ["by", "info"])


def get_cuda_paths() -> dict:
    """For each of numba's names who gave the place, and the place; None where kiln needs none."""
    nvrtc = _kiln.kernel_compiler()[0].partition(" in ")[2] or None
    folder = os.path.dirname(nvrtc) if nvrtc else ""
    home = os.path.dirname(folder)
    headers = os.path.join(home, "include")
    by = next((name for name in ("CUDA_HOME", "CUDA_PATH") if folder and os.environ.get(name) and folder.startswith(os.environ[name])), "System")
    found = {"nvrtc": nvrtc, "cudalib_dir": folder or None, "static_cudalib_dir": folder or None,
             "include_dir": headers if home and os.path.isdir(headers) else None, "nvvm": None, "libdevice": None}
    return {name: _env_path_tuple(by if place else "<unknown>", place) for name, place in found.items()}
