"""The programs of the suite: each a script over one or two packages."""

import pathlib

from suite.peers import ROOT
from suite.program import Program, read_bench_table

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "programs"
FOLDER = ROOT / "build" / "bench" / "packages"
REQUIREMENTS = HERE / "requirements.txt"

# Field of BENCH -> its type; all are needed.
FIELDS = {
    "size": int,   # argument of run(), for 0.3 to 1 s under python
    "small": int,  # argument for a quick check of the results
}


def load_program(path: pathlib.Path) -> Program:
    """Describes the program in a file; ValueError if its BENCH table is wrong."""
    table = read_bench_table(path, FIELDS, tuple(FIELDS))
    return Program(path.stem, path, "packages", table["size"], table["size"], table["small"])


def load_programs() -> list[Program]:
    """Returns all programs by name."""
    return [load_program(path) for path in sorted(PROGRAMS.glob("*.py"))]
