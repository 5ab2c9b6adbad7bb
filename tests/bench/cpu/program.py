"""The programs of the suite, and what Numba can do with each."""

import dataclasses
import math
import pathlib

from suite.peers import Peer
from suite.program import WORKER, Job, Program, read_bench_table

FOLDER = pathlib.Path(__file__).parent / "programs"

# In the order of the rows: plain numbers, loops over ndarrays (which need NumPy), all else (without a geometric mean).
GROUPS = ("numeric", "array", "objects", "other")

# Field of BENCH -> its type. A program has either "kernels" or "numba".
FIELDS = {
    "group": str,              # one of GROUPS
    "size": int,               # argument of run(), at least half a second under python
    "whole_size": int,         # argument of the script as a whole process, where it is not `size`
    "short_size": int,         # argument of the script for about 50 ms of work under python; numeric and objects have one
    "small": int,              # argument for a quick check of the results
    "kernels": list,           # functions that Numba compiles, all that run() reaches
    "numba": str,              # why Numba can't take the program
    "numba_tolerance": float,  # how far Numba's result may be from python's, where its semantics differ
}


@dataclasses.dataclass(frozen=True)
class CpuProgram(Program):
    """One program, which Numba may run too."""

    kernels: tuple[str, ...] = ()
    numba_reason: str = ""
    numba_tolerance: float = 0.0

    def applicable(self, peer: Peer) -> bool:
        return not (peer.numba and self.numba_reason) and (self.group != "array" or peer.numpy is not None)

    def absence(self) -> str:
        return f"not for numba: {self.name}: {self.numba_reason}" if self.numba_reason else ""

    def environment(self, peer: Peer) -> dict[str, str]:
        """Returns the variables that the peer needs to run the program."""
        return peer.environment | ({"PYTHONPATH": peer.numpy} if self.group == "array" and peer.numpy else {})

    def through_worker(self, peer: Peer, size: int, *mode: str) -> Job:
        """Returns the process that runs the program through the worker, under Numba with its kernels compiled."""
        kernels = ",".join(self.kernels) if peer.numba else "-"
        return Job([*peer.command, WORKER, str(self.path), str(size), kernels, *mode], self.environment(peer))

    def calls_job(self, peer: Peer, size: int, count: int, seconds: float) -> Job:
        return self.through_worker(peer, size, "calls", str(count), str(seconds))

    def whole_job(self, peer: Peer, size: int) -> Job:
        if peer.numba:
            return self.through_worker(peer, size, "whole")
        return Job(super().whole_job(peer, size).command, self.environment(peer))

    def same_result(self, peer: Peer, result: str, expected: str) -> bool:
        """Compares two printed results: exactly, but for Numba within the program's tolerance."""
        if result == expected:
            return True
        if not peer.numba or self.numba_tolerance == 0.0:
            return False
        return math.isclose(float(result), float(expected), rel_tol=self.numba_tolerance)


def load_program(path: pathlib.Path) -> CpuProgram:
    """Describes the program in a file; ValueError if its BENCH table is wrong."""
    table = read_bench_table(path, FIELDS, ("group", "size", "small"))
    if ("kernels" in table) == ("numba" in table):
        raise ValueError(f"{path.name}: BENCH needs either kernels or numba")
    if table["group"] not in GROUPS:
        raise ValueError(f"{path.name}: a group is one of {', '.join(GROUPS)}")
    return CpuProgram(path.stem, path, table["group"], table["size"], table.get("whole_size", table["size"]),
                      table["small"], tuple(table.get("kernels", ())), table.get("numba", ""),
                      table.get("numba_tolerance", 0.0), short_size=table.get("short_size", 0))


def load_programs() -> list[CpuProgram]:
    """Returns all programs, group by group, each by name."""
    programs = [load_program(path) for path in FOLDER.glob("*.py")]
    return sorted(programs, key=lambda program: (GROUPS.index(program.group), program.name))
