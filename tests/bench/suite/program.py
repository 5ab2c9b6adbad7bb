"""A program of a suite: what is run, how the measured Python is told to run it, and what it says in its BENCH table."""

import ast
import dataclasses
import pathlib
import typing

from suite.peers import Peer

MEASURED = pathlib.Path(__file__).parent / "measured"  # what runs inside the measured Python
WORKER = str(MEASURED / "worker.py")


class Job(typing.NamedTuple):
    """What a child is to run, and the variables that it needs."""

    command: list[str]
    environment: dict[str, str]


@dataclasses.dataclass(frozen=True)
class Program:
    """One program: a script that prints the result for the size it is given, and mostly a function run(size)."""

    name: str
    path: pathlib.Path
    group: str
    size: int        # of a call, where calls are repeated in one process
    whole_size: int  # of the one call of a whole process
    small: int       # for a quick check of the results
    short_size: int = dataclasses.field(default=0, kw_only=True)  # of the one call of a short process; 0: there is none

    def applicable(self, peer: Peer) -> bool:
        """Whether the peer can run the program at all."""
        return True

    def absence(self) -> str:
        """Why a peer can't run the program; empty if all can."""
        return ""

    def calls_job(self, peer: Peer, size: int, count: int, seconds: float) -> Job:
        """Returns the process that calls the program again and again and prints a JSON object."""
        worker = [*peer.command, WORKER, str(self.path), str(size), "-", "calls", str(count), str(seconds)]
        return Job(worker, peer.environment)

    def whole_job(self, peer: Peer, size: int) -> Job:
        """Returns the process that runs the program once and prints the result."""
        return Job([*peer.command, str(self.path), str(size)], peer.environment)

    def same_result(self, peer: Peer, result: str, expected: str) -> bool:
        """Compares what a peer printed with what was printed before."""
        return result == expected


def read_bench_table(path: pathlib.Path, fields: dict[str, type], needed: tuple[str, ...]) -> dict[str, object]:
    """Returns a program's BENCH table without running the program; ValueError if it is missing or malformed."""
    tree = ast.parse(path.read_text(), path)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "BENCH":
            table = ast.literal_eval(node.value)
            break
    else:
        raise ValueError(f"{path.name}: there is no BENCH table")
    for field, value in table.items():
        if field not in fields or not isinstance(value, fields[field]):
            raise ValueError(f"{path.name}: BENCH has no field {field} with such a value")
    for field in needed:
        if field not in table:
            raise ValueError(f"{path.name}: BENCH lacks {field}")
    return table
