"""Checks that the corpus executes every op, takes every exit reason and is given every refusal.

Usage: check_corpus.py --kiln KILN --source SOURCE

Runs the programs of corpus.txt under kiln with KILN_COVERAGE and compares what they reached with the rows of the compiler's
tables. Fails with the rows that nothing reached, and with a program that does not end well.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TABLES = {
    "op": ("jit/ir/ir_ops.def", re.compile(r"^KILN_OP\((\w+),", re.MULTILINE)),
    "exit": ("jit/exit_reasons.def", re.compile(r'^KILN_EXIT_REASON\(.*?"(D\d{3})"', re.MULTILINE)),
    "refusal": ("jit/refusals.def", re.compile(r'^KILN_REFUSAL\(.*?"(A\d{3})"', re.MULTILINE)),
}
TIMEOUT_SECONDS = 300


def rows(source: pathlib.Path) -> set[str]:
    """All rows of the tables, as KILN_COVERAGE writes them."""
    found = set()
    for kind, (path, pattern) in TABLES.items():
        names = pattern.findall((source / path).read_text())
        assert names, f"{path}: no rows"
        found |= {f"{kind} {name}" for name in names}
    return found


def read_programs(source: pathlib.Path) -> list[tuple[pathlib.Path, dict[str, str]]]:
    """The programs of corpus.txt with the variables that each runs with."""
    programs = []
    for line in (source / "tests/corpus/corpus.txt").read_text().splitlines():
        path, *variables = line.partition("#")[0].split() or [""]
        if path:
            programs.append((source / "tests" / path, dict(variable.split("=", 1) for variable in variables)))
    return programs


def run(kiln: str, program: pathlib.Path, variables: dict[str, str], output: pathlib.Path, scratch: str) -> None:
    """Runs one program; raises CalledProcessError when it does not end with status 0."""
    environment = {name: value for name, value in os.environ.items() if "KILN" not in name}
    # Of what a program imports no row is asked, and compiled anew for each program it would take most of the time.
    folders = (os.path.dirname(os.__file__), os.environ.get("VIRTUAL_ENV"))
    environment["KILN_EXCLUDE"] = ",".join(f"{folder}/" for folder in folders if folder)
    command = [kiln, str(program)] + (["3"] if program.parent.name == "native" else [])
    subprocess.run(command, env=environment | variables | {"KILN_COVERAGE": str(output)}, cwd=scratch, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   timeout=TIMEOUT_SECONDS)


def run_without_compiler(kiln: str, source: pathlib.Path, output: pathlib.Path, scratch: str) -> None:
    """A kiln that lacks its compiler refuses everything, and runs the program."""
    alone = pathlib.Path(scratch, "alone", "bin")
    alone.mkdir(parents=True)
    shutil.copy(kiln, alone)
    run(str(alone / pathlib.Path(kiln).name), source / "tests/native/int_add.py", {"KILN_JIT": "always"}, output, scratch)


def main() -> int:
    """Runs what the command line asks for; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch, "coverage")
        for program, variables in read_programs(options.source):
            run(options.kiln, program, variables, output, scratch)
        run_without_compiler(options.kiln, options.source, output, scratch)
        reached = set(output.read_text().splitlines())
    wanted = rows(options.source)
    unknown, missing = sorted(reached - wanted), sorted(wanted - reached)
    print(f"{len(wanted) - len(missing)} of {len(wanted)} rows are reached")
    for row in missing:
        print(f"not reached: {row}")
    for row in unknown:
        print(f"not in the tables: {row}")
    return 1 if missing or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
