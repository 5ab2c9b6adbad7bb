"""The programs of the suite, and which Python each needs."""

import dataclasses
import pathlib
import re

from suite.peers import Peer
from suite.program import Program, read_bench_table

FOLDER = pathlib.Path(__file__).parent / "programs"

# Field of BENCH -> its type.
FIELDS = {
    "size": int,    # argument of run(), for about half a second under python
    "small": int,   # argument for a quick check of the results
    "python": str,  # the oldest Python that understands the program, where 3.9 does not
}


@dataclasses.dataclass(frozen=True)
class EverydayProgram(Program):
    """One program, which an older Python may not understand."""

    python: tuple[int, int] = (3, 9)

    def applicable(self, peer: Peer) -> bool:
        return peer.python >= self.python

    def absence(self) -> str:
        return "" if self.python == (3, 9) else "not before Python {}.{}: {}".format(*self.python, self.name)


def load_program(path: pathlib.Path) -> EverydayProgram:
    """Describes the program in a file; ValueError if its BENCH table is wrong."""
    table = read_bench_table(path, FIELDS, ("size", "small"))
    version = re.fullmatch(r"(\d+)\.(\d+)", table.get("python", "3.9"))
    if not version:
        raise ValueError(f"{path.name}: {table['python']} is not the version of a Python")
    return EverydayProgram(path.stem, path, "everyday", table["size"], table["size"], table["small"],
                           (int(version[1]), int(version[2])))


def load_programs() -> list[EverydayProgram]:
    """Returns all programs by name."""
    return [load_program(path) for path in sorted(FOLDER.glob("*.py"))]
