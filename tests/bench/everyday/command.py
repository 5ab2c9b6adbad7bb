"""The everyday suite: what it runs, under whom, and its bars."""

from everyday.bars import BARS
from everyday.program import load_programs
from suite.command import Suite, run_command
from suite.peers import FINDERS
from suite.pypy import find_pypy

FINDERS_HERE = {**FINDERS, "pypy": find_pypy}

SUITE = Suite(
    name="everyday",
    description="Runs everyday programs over the standard library under python, kiln that compiles nothing, kiln and PyPy in"
                " turns.",
    load=load_programs,
    finders=FINDERS_HERE,
    default_peers=tuple(FINDERS_HERE),
    bars=BARS,
)


def main(arguments: list[str]) -> int:
    """Runs the suite and returns its exit status."""
    return run_command(SUITE, arguments)
