"""Runs CPython's whole suite under python and under kiln in two modes, a process for each module, and keeps a table of it.

Usage: run_suite.py --python PYTHON --kiln KILN [--modes default,always] [--timeout SECONDS] [--jobs N] [--resources cpu,…]
                    [--log FILE] [MODULE…]

Without modules it runs those that table.txt has no row for, so that a run that was stopped goes on; with modules, those,
whose rows are replaced. "failing" stands for all whose row names a failure, "unfinished" for those with a cell that says so:
a run that did not end within the timeout, which may be the machine's fault. What fails is told in full in the log.
Exit status: 1 when a module that was run has a failure under kiln only.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import run_module  # noqa: E402

TABLE = HERE / "table.txt"
TITLE = "# module  tests that pass under python  default  always\n"
SAME = "same"
UNFINISHED = "unfinished"
MOST_NAMES = 8


def module_names(python: str) -> list[str]:
    """Returns all test modules of this python's suite."""
    command = [python, "-c", "import test.support as s; print(s.TEST_HOME_DIR)"]
    folder = pathlib.Path(run_module.run_program.run(command, dict(os.environ), "", 60, ".").stdout.strip())
    names = {path.stem for path in folder.glob("test_*") if path.suffix in ("", ".py")}
    return sorted(names)


def read_table() -> dict[str, list[str]]:
    """Returns the rows of the table by module."""
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    rows = [line.split(maxsplit=3) for line in lines if line and not line.startswith("#")]
    return {row[0]: row[1:] for row in rows}


def write_table(rows: dict[str, list[str]]) -> None:
    """Writes the table, sorted by module."""
    text = "".join(f"{module:34} {' '.join(f'{cell:6}' for cell in rows[module]).rstrip()}\n" for module in sorted(rows))
    TABLE.write_text(TITLE + text)


def has_failure(row: list[str]) -> bool:
    """Whether a row names a failure."""
    return any(cell not in (SAME, "-", UNFINISHED) for cell in row[1:])


def cell_of(verdict: run_module.Verdict) -> str:
    """Names what fails, in one word: classes are left out, and all but a few of many."""
    reached = {test.rsplit(".", 1)[-1] for test, reason in verdict.bad.items() if not reason.startswith("not reached")}
    names = sorted(reached)
    if len(names) > MOST_NAMES:
        names[MOST_NAMES:] = [f"{len(names) - MOST_NAMES}_more"]
    if "no end" in verdict.ending:
        names.append(UNFINISHED)
    elif verdict.ending:
        names.append(verdict.ending.replace(" ", "_"))
    elif verdict.bad and not names:
        names.append(f"{len(verdict.bad)}_not_reached")
    return ",".join(names) or SAME


def tell(log: pathlib.Path | None, module: str, mode: str, verdict: run_module.Verdict) -> None:
    """Appends to the log what fails, and why."""
    if log is None or not (verdict.bad or verdict.ending or verdict.unstable):
        return
    with log.open("a") as file:
        for test, reason in verdict.bad.items():
            lines = reason.splitlines()[-run_module.TRACEBACK_LINES :]
            print(f"{module} {mode} FAILS: {test}", *lines, "", sep="\n", file=file)
        print(f"{module} {mode}: ending {verdict.ending!r}, unstable {verdict.unstable}\n", file=file)


def run_one(options: argparse.Namespace, module: str, row: list[str] | None) -> list[str]:
    """Runs a module; returns its row. A mode that is not asked for keeps its cell."""
    knobs = {} if options.resources is None else {"TEST_RESOURCES": options.resources}
    python = run_module.run_tests(options.python, [f"test.{module}"], knobs, options.timeout)
    if "no end" in python.problem:
        return [str(len(python.passed)), UNFINISHED, UNFINISHED]
    if not python.passed:
        return ["0", "-", "-"]
    cells = dict(zip(("default", "always"), row[1:] if row else ("-", "-")))
    for mode in options.modes:
        verdict = run_module.judge(options, module, python, run_module.run_program.MODES[mode] | knobs)
        tell(options.log, module, mode, verdict)
        cells[mode] = cell_of(verdict)
    return [str(len(python.passed)), *cells.values()]


def choose(options: argparse.Namespace, rows: dict[str, list[str]]) -> list[str]:
    """Returns the modules to run."""
    if options.modules == ["failing"]:
        return [module for module, row in rows.items() if has_failure(row)]
    if options.modules == ["unfinished"]:
        return [module for module, row in rows.items() if any(UNFINISHED in cell for cell in row)]
    return options.modules or [name for name in module_names(options.python) if name not in rows]


def parse_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--modes", type=lambda text: text.split(","), default=["default", "always"])
    parser.add_argument("--resources", default="", help="those of regrtest's that tests may use; default: none")
    parser.add_argument("--timeout", type=float, default=240.0, help="seconds for each run of a module")
    parser.add_argument("--jobs", type=int, default=1, help="modules at a time; many of them wait more than they work")
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    options.kiln = os.path.abspath(options.kiln)
    return options


def main() -> int:
    """Runs the modules and writes the table after each."""
    options = parse_arguments()
    old = read_table()
    wanted = choose(options, old)
    failed = 0

    def run(module: str) -> tuple[str, list[str], float]:
        start = time.monotonic()
        return module, run_one(options, module, old.get(module)), time.monotonic() - start

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for job in concurrent.futures.as_completed([pool.submit(run, module) for module in wanted]):
            module, row, seconds = job.result()
            write_table(read_table() | {module: row})
            failed += has_failure(row)
            print(module, *row, f"({seconds:.0f} s)", flush=True)
    print(f"{len(wanted)} modules, {failed} with a failure under kiln only")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
