"""The Pythons and packages that are measured beside kiln, and their processes."""

import atexit
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
LIMIT = 600  # seconds for one process
PROBES = {"numba-cuda": "import numba_cuda", "cupy": "import cupy; cupy.zeros(1)", "torch": "import torch; assert torch.cuda.is_available()"}
WORKERS = {"kiln": "worker_numba.py", "numba-cuda": "worker_numba.py", "cupy": "worker_cupy.py", "torch": "worker_torch.py"}
DRIVER = "driver"  # launches in C++
NAMES = (*WORKERS, DRIVER)


@dataclasses.dataclass(frozen=True)
class Peer:
    """One column: a name, and the interpreter that runs its worker, or what is one itself."""

    name: str
    python: str

    def environment(self, cache: str) -> dict[str, str]:
        """The variables of its processes; what it keeps on disk goes into `cache`."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KILN")}
        if self.name != "kiln":  # another Python finds its own packages
            kept.pop("PYTHONPATH", None)
        return {**kept, "KILN_NUMBA": "1", "KILN_OFFLOAD": "gpu", "KILN_CACHE_DIR": os.path.join(cache, "kiln"),
                "NUMBA_CACHE_DIR": os.path.join(cache, "numba"), "CUPY_CACHE_DIR": os.path.join(cache, "cupy"),
                "CUDA_CACHE_DISABLE": "1", "NUMBA_DISABLE_PERFORMANCE_WARNINGS": "1", "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0"}

    def run(self, task: str, cache: str, sizes: dict | int, worker: str = "", **variables: str) -> dict:
        """The worker's figures; {"problem": why} when it failed."""
        program = [] if self.name == DRIVER else ["-B", str(HERE / (worker or WORKERS[self.name]))]
        command = [self.python, *program, task, json.dumps(sizes)]
        environment = {**self.environment(cache), **variables}
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)
        except subprocess.TimeoutExpired:
            return {"problem": f"{self.name}: no end after {LIMIT} s"}
        if result.returncode != 0:
            lines = result.stderr.strip().splitlines() or ["it printed nothing"]
            return {"problem": f"{self.name}: {lines[-1]}"}
        return json.loads(result.stdout.splitlines()[-1])


def find_python(probe: str, wish: str | None) -> str | None:
    """An interpreter under which the statements `probe` run: the one wished for, the active environment's, python3."""
    active = os.environ.get("VIRTUAL_ENV")
    candidates = [wish] if wish else [*([os.path.join(active, "bin", "python")] if active else []), "python3", "python3.12"]
    for python in candidates:
        try:
            if subprocess.run([python, "-c", probe], capture_output=True, timeout=LIMIT).returncode == 0:
                return python
        except (OSError, subprocess.TimeoutExpired):
            continue
    return None


def build_driver() -> str | None:
    """Compiles driver.cpp; the program's path, which goes with this process, or None where there is no compiler."""
    compiler = next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))), None)
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    program = os.path.join(folder.name, DRIVER)
    command = [compiler or "", "-std=c++20", "-O2", "-o", program, str(HERE / "driver.cpp"), "-ldl"]
    return program if compiler and subprocess.run(command).returncode == 0 else None


def find_peers(names: list[str], kiln: str, wish: str | None) -> list[Peer]:
    """The peers that can be measured here; kiln first. Says on standard error which cannot."""
    peers = []
    for name in names:
        python = kiln if name == "kiln" else build_driver() if name == DRIVER else find_python(PROBES[name], wish)
        if python is None and name == DRIVER:
            print("bench: no C++ compiler was found to measure the driver with", file=sys.stderr)
        elif python is None:
            print(f"bench: no Python with {name} and a GPU was found", file=sys.stderr)
        else:
            peers.append(Peer(name, python))
    return peers


def has_gpu(kiln: str) -> bool:
    """Whether kiln can run a kernel on a GPU here."""
    with tempfile.TemporaryDirectory() as cache:
        program = "from numba import cuda; import sys; sys.exit(not cuda.is_available())"
        return subprocess.run([kiln, "-c", program], env=Peer("kiln", kiln).environment(cache)).returncode == 0
