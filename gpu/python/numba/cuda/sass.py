"""Machine code of GPUs as text, by the CUDA toolkit's nvdisasm."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile


def disassembled(cubin: bytes, option: str) -> str:
    """What nvdisasm says of a cubin. RuntimeError without it, and when it fails."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    packages = [place for folder in sys.path for place in glob.glob(os.path.join(glob.escape(folder), "nvidia", "*", "bin"))]
    places = [os.environ.get("PATH", os.defpath), *([os.path.join(home, "bin")] if home else []), *packages, "/usr/local/cuda/bin"]
    tool = shutil.which("nvdisasm", path=os.pathsep.join(places))
    if tool is None:
        raise RuntimeError("nvdisasm was not found. It is included with the CUDA toolkit: install it, or a package with nvdisasm, or put it on your PATH.\n")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        result = subprocess.run([tool, option, file.name], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"nvdisasm: {result.stderr.strip()}")
    return result.stdout
