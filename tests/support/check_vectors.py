"""Checks that LLVM makes vector code of the loops of a program that are marked so.

Usage: check_vectors.py --kiln KILN --site SITE PROGRAM

A loop's line ends in `# kiln-vector` or `# kiln-scalar`. The program runs with KILN_DUMP=llvm; code of the loop's function that has
been optimised must have vector instructions, or must have none. `# kiln-vector needs=FLAG` asks nothing of a processor without that
flag of /proc/cpuinfo; behind `# kiln-vector unreported` the code may be scalar under KILN_REPORT, which counts rounds. SITE is a site-packages folder with NumPy.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

VECTOR = re.compile(r"^\s+%\S+ = \w+ .*<\d+ x (?:i\d+|float|double)>", re.MULTILINE)


def marked_functions(program: pathlib.Path, is_reported: bool) -> dict[str, bool]:
    """By name: whether its loop must be vector code."""
    wanted, name = {}, ""
    flags = pathlib.Path("/proc/cpuinfo").read_text().partition("flags")[2].partition("\n")[0].split()
    for line in program.read_text().splitlines():
        if found := re.match(r"def (\w+)", line):
            name = found[1]
        found = re.search(r"# kiln-(vector|scalar)(?: needs=(\w+))?( unreported)?$", line)
        if found and (found[2] is None or found[2] in flags) and not (found[3] and is_reported):
            wanted[name] = found[1] == "vector"
    return wanted


def optimised_code(dump: str) -> dict[str, list[str]]:
    """By function: the modules of its roots after LLVM's passes, in the order of their making."""
    code: dict[str, list[str]] = {}
    for part in dump.split("; optimised\n")[1:]:
        module = re.split(r"^(?:; after |; optimised)", part, flags=re.MULTILINE)[0]
        module = re.split(r"^; ModuleID", module, flags=re.MULTILINE)[1]
        name = re.match(r" = 'py::([^:]+):", module)[1]
        code.setdefault(name, []).append(module)
    return code


def compiled(arguments: argparse.Namespace, report: str) -> dict[str, list[str]]:
    """Runs the program; returns the code of its functions."""
    environment = {name: value for name, value in os.environ.items() if "KILN" not in name}
    environment |= {"KILN_DUMP": "llvm", "KILN_TIER": "thorough", "KILN_THRESHOLD": "1000", "KILN_REPORT": report,
                    "PYTHONPATH": arguments.site}
    done = subprocess.run([arguments.kiln, str(arguments.program)], env=environment, stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{arguments.program.name}: status {done.returncode}\n{done.stderr[-2000:]}")
    return optimised_code(done.stderr)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--site", required=True)
    parser.add_argument("program", type=pathlib.Path)
    arguments, _ = parser.parse_known_args()
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for report in "0", f"{scratch}/report.json":  # with one, rounds are counted and places told
            code = compiled(arguments, report)
            for name, wanted in marked_functions(arguments.program, report != "0").items():
                modules = code.get(name, [])
                has = any(VECTOR.search(module) for module in modules)
                good = bool(modules) and has == wanted
                bad += not good
                print(f"{name}{', reported' if report != '0' else ''}: {len(modules)} compilations, {'vector' if has else 'scalar'} "
                      f"code{'' if good else ', not as wanted'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
