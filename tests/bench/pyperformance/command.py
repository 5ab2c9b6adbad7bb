"""The pyperformance suite: what it runs, under whom, and its bars."""

from pyperformance.program import FOLDER, REQUIREMENTS, load_programs
from suite.bars import NATIVE_CODE, NO_SLOWER, Bar
from suite.command import Suite, run_command
from suite.environment import environment_finders
from suite.peers import FINDERS

SUITE = Suite(
    name="pyperformance",
    description="Runs the benchmarks of PyPI's pyperformance, unmodified, under python, kiln that compiles nothing, and"
                " kiln in turns. A whole process runs one loop of the benchmark.",
    load=load_programs,
    finders=environment_finders(FOLDER, REQUIREMENTS),
    default_peers=tuple(FINDERS),
    bars=[
        Bar("mean", "steady", "python", 1.8),
        Bar("mean", "whole", "python", 1.1),
        *NO_SLOWER,
        NATIVE_CODE,
        Bar("mean", "processor", "off", 1.05),
        Bar("every", "processor", "off", 1.05),
    ],
)


def main(arguments: list[str]) -> int:
    """Runs the suite and returns its exit status."""
    return run_command(SUITE, arguments)
