"""Measurements of parts of a program: kiln.measure(). Usage: test_measurement.py KILN [unittest options]."""

import report_case
from report_case import ReportTest

PARTS = """
import json, os, sys, time
import kiln

def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

def first():
    spin({seconds})

def second():
    spin({seconds})

def times(report):
    rows = {{function["name"]: function["cumulative_s"] for function in report.get("functions", [])}}
    return [round(rows.get(name, 0), 1) for name in ("first", "second")]
"""

NESTED = PARTS + """
with kiln.measure() as outer:
    first()
    with kiln.measure() as inner:
        second()
    first()
with kiln.measure() as after:
    second()
first()
print(json.dumps([times(part.report) for part in (outer, inner, after)]))
"""

FAILING = PARTS + """
try:
    with kiln.measure() as part:
        first()
        raise KeyError
except KeyError:
    print(times(part.report))
    print(str(part).splitlines()[0][:12], len(part.page()) > 10000)
with kiln.measure() as part:
    try:
        with part:
            pass
    except RuntimeError as error:
        print(error)
"""

FORKED = PARTS + """
with kiln.measure() as part:
    first()
    child = os.fork()
    if child == 0:
        with kiln.measure() as own:
            second()
        print(times(own.report), flush=True)
    else:
        os.waitpid(child, 0)
        first()
print(times(part.report), flush=True)
"""

COUNTS = PARTS + """
def work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total

def idle():
    return [i for i in range(100000)]

idle()
work(1000)
with kiln.measure() as part:
    for _ in range(20):
        work(10_000_000)
rows = {{function["name"]: function for function in part.report["functions"]}}
print(rows["work"]["tier"], rows["work"]["calls"]["interpreted"], rows["work"]["share"]["native"] > 0.5, "idle" in rows)
"""


class Measurements(ReportTest):
    def output(self, source: str, report: str = "0", **variables: str) -> list[str]:
        done = self.run_source(source.format(seconds=0.5), report, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def assert_about(self, times: list[float], *expected: float) -> None:
        # On a busy machine a part takes longer than it asks for, and the sampler may be late for some of it.
        for seconds, least in zip(times, expected, strict=True):
            self.assertGreaterEqual(seconds, least / 4, times)
            self.assertEqual(seconds == 0, least == 0, times)

    def check_nested(self, text: str) -> None:
        outer, inner, after = report_case.json.loads(text)
        self.assert_about(outer, 1.0, 0.5)
        self.assert_about(inner, 0, 0.5)
        self.assert_about(after, 0, 0.5)

    def test_nested(self) -> None:
        """Each has what happened in it, and nothing else."""
        self.check_nested(*self.output(NESTED))
        self.check_nested(*self.output(NESTED, KILN_JIT="off"))

    def test_beside_the_whole(self) -> None:
        """The report of the whole run misses nothing that parts of it have."""
        self.check_nested(*self.output(NESTED, "out.json"))
        report = self.read()
        self.assert_about([self.function(report, name)["cumulative_s"] for name in ("first", "second")], 1.5, 1.0)
        self.assertAlmostEqual(sum(self.function(report, "spin")["share"].values()), 1, places=4)
        self.assertEqual(len(report["processes"]), 1)

    def test_exception(self) -> None:
        """The report is there behind an exception. One measurement does not begin twice."""
        part, *others = self.output(FAILING)
        self.assert_about(report_case.json.loads(part), 0.5, 0)
        self.assertEqual(others, ["kiln report: True", "this measurement is under way"])

    def test_fork(self) -> None:
        """A child measures for itself; what its parent measures is not there."""
        own, inherited, parent = self.output(FORKED)
        self.assert_about(report_case.json.loads(own), 0, 0.5)
        self.assertEqual(inherited, "[0, 0]")
        self.assert_about(report_case.json.loads(parent), 1.0, 0)

    def test_counts(self) -> None:
        """Rounds are not counted; functions that did nothing are left out."""
        self.assertEqual(self.output(COUNTS), ["native None True False"])

    def test_off(self) -> None:
        """Nothing is measured where kiln is off."""
        done = self.run_source("import kiln\nwith kiln.measure(): pass", "0", KILN="0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("RuntimeError: kiln measures nothing under KILN=0", done.stderr)


if __name__ == "__main__":
    report_case.main()
