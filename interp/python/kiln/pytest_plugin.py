"""`kiln -m pytest -p kiln.pytest_plugin`: how long each test ran, and where: interpreted, native, or waiting for the compiler.

Tests that pytest-xdist runs elsewhere are told, too: the figures travel with the tests' reports.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from kiln.measurement import Measurement
from kiln.report_file import function_name, import_row, reason_of, total_seconds

ATTRIBUTE = "kiln"  # of pytest's report of a test


class Row(NamedTuple):
    """One test in the summary."""

    seconds: float
    shares: dict[str, float]
    test: str
    reason: str  # why its longest interpreted function is not native


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plug-in's own option."""
    group = parser.getgroup("kiln")
    group.addoption("--kiln-durations", metavar="N", type=int, default=10, help="show kiln's N slowest tests; 0 for all; 10 when left out")


def describe(report: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a test's report: values that every serialiser takes."""
    reasons = []
    for function in import_row(report.get("functions", [])):
        code, line = reason_of(function)
        if code:
            reasons.append(f"{function_name(function)} {code} line {line}")
    return {"seconds": total_seconds(report) if report else 0.0, "shares": report.get("share", {}), "reason": "".join(reasons[:1])}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """Measures a test's own call, without its fixtures."""
    measurement = Measurement()
    with measurement:
        yield
    item.stash[KEY] = describe(measurement.report)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    """Hands the figures on."""
    outcome = yield
    if call.when == "call" and KEY in item.stash:
        setattr(outcome.get_result(), ATTRIBUTE, item.stash[KEY])


def rows_of(reports: list[Any]) -> list[Row]:
    """The tests that took time, longest first."""
    rows = []
    for report in reports:
        figures = getattr(report, ATTRIBUTE, None)
        if figures and figures["seconds"] > 0:
            rows.append(Row(figures["seconds"], figures["shares"], report.nodeid, figures["reason"]))
    return sorted(rows, key=lambda row: -row.seconds)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The slowest tests, below pytest's own summary."""
    reports = [report for group in terminalreporter.stats.values() for report in group if getattr(report, "when", "") == "call"]
    rows = rows_of(reports)
    most = config.getoption("--kiln-durations")
    shown = rows[:most] if most > 0 else rows
    if not shown:
        return
    terminalreporter.section("kiln: slowest tests" if len(shown) < len(rows) else "kiln: tests")
    terminalreporter.line("  seconds  native  interp  compile  test")
    for row in shown:
        shares = "".join(f"{100 * row.shares[name]:7.0f}%" for name in ("native", "interpreted"))
        terminalreporter.line(f"{row.seconds:9.3f}{shares}{100 * row.shares['compile']:8.0f}%  {row.test}")
        if row.reason:
            terminalreporter.line(f"{'':34}not native: {row.reason}")
    if any(row.reason for row in shown):
        terminalreporter.line("kiln -m kiln explain CODE tells what such a code means")


KEY = pytest.StashKey[dict[str, Any]]()
