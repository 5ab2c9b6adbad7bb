"""pytest's plug-in: durations with tiers."""

import re
import unittest

from tool_case import ToolTest, require

TESTS = """
import pytest

def work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total

def items(n):
    for i in range(n):
        yield i * i % 7

def test_native():
    assert work(70_000_000) == 140_000_000

def test_interpreted():
    assert sum(items(2_100_000)) == 4_200_000

def test_failing():
    assert work(70_000_000) == 1

def test_nothing():
    pass

@pytest.mark.skip
def test_skipped():
    pass
"""


class Pytest(ToolTest):
    """Runs of pytest under kiln."""

    def summary(self, *options: str, **variables: str) -> str:
        """What pytest prints about TESTS."""
        self.write("test_program.py", TESTS)
        result = self.run_kiln("-m", "pytest", "-p", "kiln.pytest_plugin", "-p", "no:cacheprovider", *options, **variables)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("1 failed, 3 passed, 1 skipped", result.stdout)
        return result.stdout

    def test_durations(self) -> None:
        """Each test with its time by tier. What is never counted has a reason only where a report is asked for, too."""
        text = self.summary(KILN_REPORT=f"{self.folder}/out.json")
        found = re.findall(r"^ *[\d.]+ +(\d+% +\d+%) +\d+%  test_program\.py::(\w+)$", text, re.MULTILINE)
        rows = {test: shares for shares, test in found}
        self.assertLessEqual({"test_native", "test_interpreted", "test_failing"}, set(rows))
        native, interpreted = (int(share) for share in re.findall(r"\d+", rows["test_native"]))
        self.assertGreater(native, interpreted)
        self.assertRegex(text, r"not native: items test_program\.py:\d+ A\d{3} line \d+")

    def test_number_of_rows(self) -> None:
        """--kiln-durations."""
        rows = re.findall(r"%  test_program\.py::", self.summary("--kiln-durations=1"))
        self.assertEqual(len(rows), 1)


if __name__ == "__main__":
    require("pytest")
    unittest.main()
