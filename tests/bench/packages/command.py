"""The packages suite: what it runs, under whom, and its bars."""

from packages.program import FOLDER, REQUIREMENTS, load_programs
from suite.bars import NATIVE_CODE, Bar
from suite.command import Suite, run_command
from suite.environment import environment_finders
from suite.peers import FINDERS

SUITE = Suite(
    name="packages",
    description="Runs everyday programs over pinned packages of PyPI under python, kiln that compiles nothing, and kiln in"
                " turns.",
    load=load_programs,
    finders=environment_finders(FOLDER, REQUIREMENTS),
    default_peers=tuple(FINDERS),
    bars=[
        Bar("mean", "steady", "off", 1.2),
        Bar("mean", "first", "off", 1.0),
        Bar("mean", "whole", "off", 1.0),
        Bar("every", "steady", "off", 0.95),
        Bar("every", "first", "off", 0.95),
        Bar("every", "whole", "off", 0.95),
        Bar("mean", "whole_kb", "python", 1.5),
        Bar("mean", "processor", "off", 1.05),
        Bar("every", "processor", "off", 1.05),
        NATIVE_CODE,
    ],
)


def main(arguments: list[str]) -> int:
    """Runs the suite and returns its exit status."""
    return run_command(SUITE, arguments)
