"""The command line of the suite that counts instructions."""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cpu.program
import everyday.program
import packages.program
from child import run_child
from progress import Progress
from suite.peers import BUILD
from suite.program import Program
from text_table import text_table

DESCRIPTION = """
How many instructions a call takes on the main thread after --warm others, with the compiler off and on, however busy the machine is.
Calls are small and many, and code is compiled soon (--threshold), for under valgrind all takes fifty times as long. Regions that are
still built during the call count, too; misses of caches and branches do not.
"""
HERE = pathlib.Path(__file__).parent
LIMIT = 900.0
NATIVE = "compiled code"
MOST_LETTERS = 90  # of a function's name


def find_programs(names: list[str]) -> list[Program]:
    """The programs of these names, of any suite; ValueError names one that there is not."""
    known = {program.name: program for suite in (cpu.program, everyday.program, packages.program) for program in suite.load_programs()}
    for name in names:
        if name not in known:
            raise ValueError(f"there is no program named {name}; there are {', '.join(sorted(known))}")
    return [known[name] for name in names]


def build_switch(folder: pathlib.Path) -> pathlib.Path:
    """Compiles the library that starts and stops the counting; ValueError says what is missing."""
    compiler = shutil.which("c++")
    if compiler is None or shutil.which("valgrind") is None:
        raise ValueError("this needs valgrind and a C++ compiler: apt-get install valgrind g++")
    library = folder / "switch.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "switch.cpp"], check=True)
    return library


def parse_counts(text: str) -> collections.Counter:
    """Instructions by function, from what callgrind_annotate prints."""
    counts = collections.Counter()
    for line in text.splitlines():
        found = re.match(r"\s*([\d,]+)\s+\S*?:(.*?)(?:'\d+)?(?: \[[^]]*\])?$", line)
        if found:
            name = NATIVE if found[2].startswith("0x") else found[2]
            counts[name[:MOST_LETTERS]] += int(found[1].replace(",", ""))
    return counts


def read_counts(file: pathlib.Path) -> collections.Counter:
    """The same from a file of one thread's."""
    command = ["callgrind_annotate", "--threshold=100", "--show-percs=no", file]
    return parse_counts(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def count(program: Program, options: argparse.Namespace, switch: pathlib.Path, folder: pathlib.Path, compiles: bool) -> collections.Counter:
    """What a call of the program takes on the main thread; RuntimeError says why that can't be told."""
    out = folder / f"{program.name}.{'on' if compiles else 'off'}"
    environment = {"KILN_THRESHOLD": str(options.threshold)} if compiles else {"KILN_JIT": "off"}
    if program.group == "packages":
        environment["VIRTUAL_ENV"] = str(packages.program.FOLDER)
    size = max(1, program.size // options.fraction)
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes", f"--callgrind-out-file={out}", options.kiln,
               "-B", str(HERE / "worker.py"), str(switch), str(program.path), str(size), str(options.warm if compiles else 1)]
    done = run_child(command, LIMIT, environment)
    if done.failure():
        raise RuntimeError(done.failure())
    return read_counts(folder / f"{out.name}-01")


def differences(off: collections.Counter, on: collections.Counter, most: int) -> str:
    """Where they differ most, in percent of all with the compiler off."""
    every = sum(off.values())
    names = sorted(set(off) | set(on), key=lambda name: -abs(on[name] - off[name]))[:most]
    rows = [["", "off", "on", "difference"]]
    rows += [[name, *(f"{part / every:.2%}" for part in (off[name], on[name])), f"{(on[name] - off[name]) / every:+.2%}"] for name in names]
    return text_table(rows)


def main(arguments: list[str]) -> int:
    """Runs the suite; 0 if every program could be counted."""
    parser = argparse.ArgumentParser(prog="scripts/bench instructions", description=DESCRIPTION)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", help="its name, in the suites cpu, everyday and packages")
    parser.add_argument("--fraction", type=int, default=16, help="a call does this part of the program's size (default 16)")
    parser.add_argument("--warm", type=int, default=60, help="calls before the one that counts (default 60)")
    parser.add_argument("--threshold", type=int, default=500, help="KILN_THRESHOLD (default 500)")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="the N functions that differ most, too")
    parser.add_argument("--kiln", metavar="PATH", default=str(BUILD / "bin" / "kiln"), help="another launcher")
    options = parser.parse_args(arguments)
    rows, details, problems = [["", "off, millions", "on, millions", "on / off"]], [], []
    with tempfile.TemporaryDirectory() as folder:
        try:
            programs = find_programs(options.programs)
            switch = build_switch(pathlib.Path(folder))
        except ValueError as error:
            parser.error(str(error))
        progress = Progress(len(programs))
        for program in programs:
            progress.step(program.name)
            try:
                off, on = (count(program, options, switch, pathlib.Path(folder), compiles) for compiles in (False, True))
            except RuntimeError as error:
                problems.append(f"{program.name}: {error}")
                continue
            totals = sum(off.values()), sum(on.values())
            rows.append([program.name, *(f"{total / 1e6:.1f}" for total in totals), f"{totals[1] / totals[0]:.3f}"])
            details += [f"\n\n{program.name}\n{differences(off, on, options.functions)}"] if options.functions else []
        progress.finish()
    print(text_table(rows) + "".join(details))
    for problem in problems:
        print(f"bench: {problem}", file=sys.stderr)
    return 1 if problems else 0
