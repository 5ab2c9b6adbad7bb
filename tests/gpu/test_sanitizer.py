"""compute-sanitizer over tests of kernels, and over kernels with planted faults, each of which it must report.

Skipped where kernels do not run on a GPU, and where CUDA's compute-sanitizer is not found.
"""

import glob
import os
import shutil
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import _kiln
import planted_faults  # noqa: F401  its kernels are compiled, too

FOLDER = os.path.dirname(os.path.abspath(__file__))
FAULTS = 9  # the exit status where the tool found something
# What a tool runs over: racecheck and synccheck look at shared memory and barriers.
CLEAN = {
    "memcheck": ["test_array_methods.py", "test_records.py", "test_language.py", "test_barriers.py", "test_callables.py"],
    "racecheck": ["test_barriers.py", "test_waiting.py"],
    "synccheck": ["test_barriers.py", "test_waiting.py"],
}


def sanitizer() -> str | None:
    """The tool; None where there is none."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)] + ["/usr/local/cuda"]
    packages = [place for folder in sys.path for place in glob.glob(os.path.join(glob.escape(folder), "nvidia", "*", "bin"))]
    return shutil.which("compute-sanitizer", path=os.pathsep.join([os.environ.get("PATH", os.defpath), *packages,
                                                                   *(os.path.join(home, "bin") for home in homes)]))


TOOL = sanitizer() if _kiln.kernel_probe()[0] == "gpu" else None


@unittest.skipUnless(TOOL, "there is no GPU, or no compute-sanitizer")
class Sanitizer(unittest.TestCase):
    def run_under(self, kind: str, *command: str) -> subprocess.CompletedProcess:
        """Runs a program under a tool. What the driver answers to questions, as whose memory an address is, is no fault."""
        return subprocess.run([TOOL, f"--tool={kind}", f"--error-exitcode={FAULTS}", "--launch-timeout=0", "--report-api-errors=no", sys.executable, "-B", *command],
                              capture_output=True, text=True, timeout=1500, env={**os.environ, "TEST_ARCHITECTURES": ""}, cwd=FOLDER)

    def test_planted(self) -> None:
        for kind in CLEAN:
            with self.subTest(kind):
                result = self.run_under(kind, "planted_faults.py", kind)
                self.assertEqual(result.returncode, FAULTS, result.stdout + result.stderr)
                self.assertRegex(result.stdout + result.stderr, r"(ERROR|RACECHECK) SUMMARY: [1-9]")

    def test_clean(self) -> None:
        for kind, programs in CLEAN.items():
            for program in programs:
                with self.subTest(f"{kind} {program}"):
                    result = self.run_under(kind, program)
                    self.assertEqual(result.returncode, 0, result.stdout[-6000:] + result.stderr[-6000:])


if __name__ == "__main__":
    main()
