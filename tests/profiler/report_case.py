"""What the tests of reports share: kiln runs a program in a directory of its own, and leaves a report there."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

kiln = ""
HARNESS = str(pathlib.Path(__file__).parents[1] / "native")


def settle(statement: str) -> str:
    """A program's text that repeats a statement until what it makes hot is compiled, however busy the machine is."""
    return f"""
import sys
sys.path.insert(0, {HARNESS!r})
from _harness import pause
for _ in range(20):
    {statement}
    pause()
"""


class ReportTest(unittest.TestCase):
    """Each test runs kiln in an empty directory of its own, which is also where temporary files go."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.temporary = os.path.join(directory.name, "temporary")
        os.mkdir(self.temporary)

    def environment(self, report: str, **variables: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if "KILN" not in name}
        return {**kept, "TMPDIR": self.temporary, "KILN_REPORT": report, **variables}

    def run_kiln(self, *arguments: str, report: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [kiln, *arguments], env=self.environment(report, **variables), cwd=self.directory, text=True,
            capture_output=True, timeout=120,
        )

    def run_source(self, source: str, report: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs `source` as the file program.py."""
        with open(os.path.join(self.directory, "program.py"), "w", encoding="utf-8") as file:
            file.write(source)
        return self.run_kiln("program.py", report=report, **variables)

    def read(self, name: str = "out.json") -> dict:
        with open(os.path.join(self.directory, name), encoding="utf-8") as file:
            return json.load(file)

    def function(self, report: dict, name: str) -> dict:
        found = [function for function in report["functions"] if function["name"] == name]
        if name == "<module>":  # the program's; the standard library evaluates strings, too
            files = [function["file"] for function in found]
            own = next((file for file in files if file.endswith("program.py")), "<string>")
            found = [function for function in found if function["file"] == own]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def assert_no_leftovers(self) -> None:
        self.assertEqual(os.listdir(self.temporary), [])


def main() -> None:
    """Runs the tests of the file that was started: FILE KILN [unittest options]."""
    global kiln
    kiln = os.path.abspath(sys.argv.pop(1))
    unittest.main()
