"""Runs tests of CPython's own suite in this process and writes the outcome of each as it ends.

Usage: collect.py OUTPUT NAME…    NAME as for unittest, such as test.test_int or a test's id.
With TEST_RESOURCES=name,… only tests that need no other resource of regrtest's (network, cpu, …) run; unset, all do.

OUTPUT receives a line of JSON for each event, at once, so that a crash loses nothing: ["start", id], then ["ok", id],
["skip", id, reason], ["fail", id, traceback]; a failing subtest has the id of its test. The last line is ["end", tests run].
"""

from __future__ import annotations

import json
import os
import sys
import unittest

RUNNER_FRAMES = 10


class Recorder(unittest.TestResult):
    """Writes events to a file, and says for each test whether any part of it failed."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.file = open(path, "w")
        self.failed: set[str] = set()

    def write(self, *event: object) -> None:
        """Writes one event and flushes it."""
        self.file.write(json.dumps(event) + "\n")
        self.file.flush()

    def fail(self, test: unittest.TestCase, error: object) -> None:
        """Notes a failure or error."""
        self.failed.add(test.id())
        self.write("fail", test.id(), self._exc_info_to_string(error, test))

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.write("start", test.id())

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        if test.id() not in self.failed:
            self.write("ok", test.id())

    def addError(self, test: unittest.TestCase, err: object) -> None:
        self.fail(test, err)

    def addFailure(self, test: unittest.TestCase, err: object) -> None:
        self.fail(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: object) -> None:
        if err is not None:
            self.fail(test, err)

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self.failed.add(test.id())
        self.write("fail", test.id(), "unexpected success")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.write("skip", test.id(), reason)


def run_below(frames: int, suite: unittest.TestSuite, recorder: Recorder) -> None:
    """Runs the tests with so many frames of a runner below them: test_tracemalloc counts on as many as regrtest has."""
    if frames:
        run_below(frames - 1, suite, recorder)
    else:
        suite.run(recorder)


def main() -> int:
    """Runs the tests named on the command line; returns 0 when all could be loaded."""
    resources = os.environ.pop("TEST_RESOURCES", None)
    if resources is not None:
        from test import support

        support.use_resources = [name for name in resources.split(",") if name]
    recorder = Recorder(sys.argv[1])
    names, sys.argv = sys.argv[2:], sys.argv[:1]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromName(name) for name in names)
    run_below(RUNNER_FRAMES, suite, recorder)
    recorder.write("end", recorder.testsRun)
    return 0


if __name__ == "__main__":
    sys.exit(main())
