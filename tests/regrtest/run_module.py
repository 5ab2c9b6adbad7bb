"""Runs a module of CPython's own suite under python and under kiln with KILN_JIT=always; compares which tests fail.

Usage: run_module.py --python PYTHON --kiln KILN [--mode always] [--timeout SECONDS] test_int…

A test fails under kiln when it fails, is skipped, or is not reached (crash, timeout), and passes under python. It is
run again by itself; only when it then passes three times is it forgiven, and named.
Those of known_failures.txt are named, and do not count. Exit status: 0 when no test fails under kiln only, else 1; 77 when this python has no such module.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import run_program  # noqa: E402

SKIPPED = 77
REPEATS = 3
TRACEBACK_LINES = 25
# A test that says so has compared what it measures, and stops only where the machine is too fast to go on.
TOO_FAST = "conversion took only"


@dataclasses.dataclass
class Session:
    """What one run of the tests gave."""

    passed: set[str]
    failed: dict[str, str]  # id: traceback, or why it did not end
    skipped: set[str]
    problem: str  # how the process ended, when not as it should


def run_tests(interpreter: str, names: list[str], knobs: dict[str, str], timeout: float) -> Session:
    """Runs the named tests in one process."""
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch, "events.jsonl")
        command = [interpreter, str(HERE / "collect.py"), str(output), *names]
        environment = run_program.clean_environment(knobs | {"TMPDIR": scratch})
        # The suite checks that .pyc files appear, and expects hashes of strings to be random.
        del environment["PYTHONDONTWRITEBYTECODE"], environment["PYTHONHASHSEED"]
        outcome = run_program.run(command, environment, "", timeout, scratch)
        events = [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []
    return read_session(events, outcome)


def read_session(events: list[list], outcome: run_program.Outcome) -> Session:
    """Sorts the tests by how they ended; one that started only is a failure."""
    session = Session(set(), {}, set(), "")
    unfinished: dict[str, None] = {}
    for kind, *details in events:
        match kind:
            case "start":
                unfinished[details[0]] = None
            case "fail":
                session.failed[details[0]] = details[1]
                unfinished.pop(details[0], None)
            case "skip" if TOO_FAST in details[1]:
                session.passed.add(details[0])
                unfinished.pop(details[0], None)
            case "skip":
                session.skipped.add(details[0])
            case "ok":
                session.passed.add(details[0])
                unfinished.pop(details[0], None)
    session.passed -= session.skipped | session.failed.keys()
    if not events or events[-1][0] != "end" or outcome.ending != "exit code 0":
        session.problem = f"{outcome.ending}\n{outcome.stderr[-2000:]}"
        for test in unfinished:
            session.failed[test] = f"did not end: {session.problem}"
    return session


def only_under_kiln(python: Session, kiln: Session) -> dict[str, str]:
    """Returns the tests that pass under python and not under kiln, with the reason."""
    bad = {}
    for test in sorted(python.passed - kiln.passed):
        if test in kiln.skipped:
            bad[test] = "skipped under kiln only"
        else:
            bad[test] = kiln.failed.get(test) or f"not reached: {kiln.problem or 'kiln did not find the test'}"
    for test in sorted(kiln.failed.keys() - python.failed.keys() - python.passed):
        bad[test] = kiln.failed[test]
    return bad


@dataclasses.dataclass
class Verdict:
    """What fails under kiln only."""

    bad: dict[str, str]  # test: why
    unstable: list[str]  # failed once, and passed when run again by themselves
    ending: str  # how the process ended, when under python it ended well


def forgive(options: argparse.Namespace, bad: dict[str, str], knobs: dict[str, str]) -> list[str]:
    """Runs the failed tests again, each by itself; removes from `bad` those that pass every time, and returns them."""
    unstable = []
    for test in [t for t in bad if "not reached" not in bad[t] and "only" not in bad[t]]:
        sessions = (run_tests(options.kiln, [test], knobs, options.timeout) for _ in range(REPEATS))
        if all(test in s.passed and not s.problem for s in sessions):
            unstable.append(test)
    for test in unstable:
        del bad[test]
    return unstable


def known_failures() -> set[str]:
    """The tests that are known to fail under kiln."""
    lines = (HERE / "known_failures.txt").read_text().splitlines()
    return {line.split()[0] for line in lines if line.startswith("test.")}


def judge(options: argparse.Namespace, module: str, python: Session, knobs: dict[str, str]) -> Verdict:
    """Runs a module under kiln and compares it with what python gave."""
    kiln = run_tests(options.kiln, [f"test.{module}"], knobs, options.timeout)
    bad = only_under_kiln(python, kiln)
    unstable = forgive(options, bad, knobs)
    ending = kiln.problem.splitlines()[0] if kiln.problem and not python.problem else ""
    return Verdict(bad, unstable, ending)


def is_missing(python: Session) -> bool:
    """Whether python found no such module."""
    return any("No module named" in text and "_FailedTest" in test for test, text in python.failed.items())


def compare(options: argparse.Namespace, module: str) -> int:
    """Compares one module; prints what differs, and returns the exit status."""
    python = run_tests(options.python, [f"test.{module}"], {}, options.timeout)
    if is_missing(python):
        print(f"skipped: this python has no test.{module}")
        return SKIPPED
    if not python.passed:
        print(f"{module}: nothing passes under python: {python.problem or 'no test found'}")
        return 1
    verdict = judge(options, module, python, run_program.MODES[options.mode])
    known = sorted(verdict.bad.keys() & known_failures())
    bad = {test: reason for test, reason in verdict.bad.items() if test not in known}
    for test, reason in bad.items():
        print(f"FAILS UNDER KILN ONLY: {test}")
        print("".join(f"    {line}\n" for line in reason.splitlines()[-TRACEBACK_LINES:]))
    if known:
        print(f"known to fail: {' '.join(known)}")
    if verdict.unstable:
        print(f"failed once, then passed {REPEATS} times alone: {' '.join(verdict.unstable)}")
    if verdict.ending:
        print(f"{module}: the process ended otherwise than under python: {verdict.ending}")
    same = f"{len(python.passed)} pass, {len(python.failed)} fail and {len(python.skipped)} are skipped under python"
    print(f"{module}: {len(bad)} of them fail under kiln only ({same})")
    return 1 if bad or verdict.ending else 0


def main() -> int:
    """Compares the modules of the command line; returns the worst exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--mode", default="always", choices=run_program.MODES)
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for each run of a module")
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()
    options.kiln = os.path.abspath(options.kiln)
    results = [compare(options, module) for module in options.modules]
    return 1 if 1 in results else max(results)


if __name__ == "__main__":
    sys.exit(main())
