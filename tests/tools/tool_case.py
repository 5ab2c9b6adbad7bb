"""What the tests of tools share: kiln in the active environment, which has the tool, and a folder for each test."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

KILN = os.environ["TEST_KILN"]
SKIPPED = 77  # the exit status by which ctest knows a test that was skipped


def environment(**changes: str) -> dict[str, str]:
    """The variables of the active environment, and no knobs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KILN", "_KILN", "TEST_"))}
    return {**kept, **changes}


def require(*modules: str) -> None:
    """Ends the test program, as skipped, where a module cannot be imported in the active environment."""
    code = "import importlib.util, sys; sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))"
    if subprocess.run([KILN, "-c", code, *modules], env=environment()).returncode != 0:
        print(f"skipped: {', '.join(modules)} must be installed in the active environment")
        sys.exit(SKIPPED)


class ToolTest(unittest.TestCase):
    """A folder of its own for each test."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="tools"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name: str, text: str) -> str:
        """Writes a file; its path."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_kiln(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        """Runs kiln in the folder, with text output."""
        return subprocess.run(
            [KILN, *arguments], cwd=self.folder, env=environment(**variables), capture_output=True, text=True, timeout=300
        )
