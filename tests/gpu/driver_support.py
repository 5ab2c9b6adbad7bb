"""For tests with stand-ins for NVIDIA's libraries: fake/ says what these do. TEST_FAKES is their folder."""

import os
import subprocess
import sys
import tempfile
import unittest

KILN = os.environ["TEST_KILN"]
FAKES = os.environ["TEST_FAKES"]
SKIPPED = 77
KERNEL = """
import numpy as np, os, sys
from numba import cuda, float64
@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
"""


class Driver(unittest.TestCase):
    OFFLOAD = "gpu"

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log")
        self.cache = os.path.join(folder.name, "cache")

    def environment(self, offload: str = "", **environment: str) -> dict[str, str]:
        """In which a program finds the stand-ins."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("KILN", "CUDA", "FAKE_"))}
        given = {"LD_LIBRARY_PATH": os.path.join(FAKES, "driver"), "CUDA_HOME": os.path.join(FAKES, "toolkit"),
                 "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0", "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0", "FAKE_CUDA_LOG": self.log, "KILN_OFFLOAD": offload or self.OFFLOAD, "KILN_CACHE_DIR": self.cache, **environment}
        return {**kept, **given}

    def run_kiln(self, program: str, offload: str = "", **environment: str) -> subprocess.CompletedProcess:
        """Runs a program with the stand-ins."""
        return subprocess.run([KILN, "-c", program], capture_output=True, text=True, timeout=120, env=self.environment(offload, **environment))

    def start(self, program: str) -> subprocess.Popen:
        """Starts a program and does not wait for it."""
        return subprocess.Popen([KILN, "-c", program], env=self.environment(), stdout=subprocess.DEVNULL)

    def output(self, program: str, offload: str = "", **environment: str) -> str:
        """What a program that must succeed prints."""
        result = self.run_kiln(program, offload, **environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.strip()

    def calls(self) -> list[str]:
        """The log, which is emptied."""
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        os.unlink(self.log)
        return lines


def main() -> None:
    """Runs the tests of the main module; says so when they can't run here."""
    probe = subprocess.run([KILN, "-c", "import numpy"], capture_output=True)
    if probe.returncode != 0:
        print("NumPy is not installed")
        sys.exit(SKIPPED)
    unittest.main()
