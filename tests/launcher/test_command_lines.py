"""Each command line gives the same output and status under python and under kiln."""

import unittest

import cases_exits
import cases_modules
import cases_options
import cases_programs
from support import KILN, PYTHON, Case, run

CASES = [*cases_options.CASES, *cases_programs.CASES, *cases_exits.CASES, *cases_modules.CASES]


class CommandLines(unittest.TestCase):
    """A method is added for each case."""

    maxDiff = None

    def compare(self, case: Case) -> None:
        """Runs a case under both interpreters."""
        expected, found = run(PYTHON, case), run(KILN, case)
        self.assertEqual(expected.stdout, found.stdout)
        self.assertEqual(expected.stderr, found.stderr)
        self.assertEqual(expected.status, found.status)

    def test_a_difference_is_found(self) -> None:
        """The comparison itself: programs that differ in one of the three do not pass."""
        for difference in ("print(kiln)", "print(kiln, file=sys.stderr)", "sys.exit(kiln)"):
            program = f"import os, sys; kiln = int(os.environ['EXE'] == {KILN!r}); {difference}"
            with self.assertRaises(AssertionError):
                self.compare(Case("difference", ["-c", program]))

    def test_there_are_enough_cases(self) -> None:
        """Names are unique, so that no case replaces another."""
        self.assertEqual(len({case.name for case in CASES}), len(CASES))
        self.assertGreaterEqual(len(CASES), 60)


def add_test(case: Case) -> None:
    """Makes a test method of a case."""

    def test(self: CommandLines) -> None:
        self.compare(case)

    setattr(CommandLines, f"test_{case.name}", test)


for one in CASES:
    add_test(one)

if __name__ == "__main__":
    unittest.main()
