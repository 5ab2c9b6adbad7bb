"""The CPU suite: what it runs, under whom, and its bars."""

from cpu.bars import BARS
from cpu.peers import CPU_FINDERS
from cpu.program import load_programs
from suite.command import Suite, run_command

SUITE = Suite(
    name="cpu",
    description="Runs a set of plain programs under python, kiln, PyPy and Numba in turns.",
    load=load_programs,
    finders=CPU_FINDERS,
    default_peers=("python", "kiln", "pypy", "numba"),
    bars=BARS,
)


def main(arguments: list[str]) -> int:
    """Runs the suite and returns its exit status."""
    return run_command(SUITE, arguments)
