"""The programs of the suite, and what Numba can do with each."""

import dataclasses
import math
import pathlib

from suite.peers import Peer
from suite.program import WORKER, Job, Program, read_bench_table

FOLDER = pathlib.Path(__file__).parent / "programs"

# Field of BENCH -> its type. A program has either "kernels" or "numba".
FIELDS = {
    "group": str,              # "numeric" programs count in the geometric means; "other" ones do not
    "size": int,               # argument of run(), at least half a second under python
    "whole_size": int,         # argument of the script as a whole process, where it is not `size`
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
        return not (peer.numba and self.numba_reason)

    def absence(self) -> str:
        return f"not for numba: {self.name}: {self.numba_reason}" if self.numba_reason else ""

    def through_worker(self, peer: Peer, size: int, *mode: str) -> Job:
        """Returns the process that runs the program through the worker, under Numba with its kernels compiled."""
        kernels = ",".join(self.kernels) if peer.numba else "-"
        return Job([*peer.command, WORKER, str(self.path), str(size), kernels, *mode], peer.environment)

    def calls_job(self, peer: Peer, size: int, count: int, seconds: float) -> Job:
        return self.through_worker(peer, size, "calls", str(count), str(seconds))

    def whole_job(self, peer: Peer, size: int) -> Job:
        return self.through_worker(peer, size, "whole") if peer.numba else super().whole_job(peer, size)

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
    if table["group"] not in ("numeric", "other"):
        raise ValueError(f"{path.name}: a group is numeric or other")
    return CpuProgram(path.stem, path, table["group"], table["size"], table.get("whole_size", table["size"]),
                      table["small"], tuple(table.get("kernels", ())), table.get("numba", ""),
                      table.get("numba_tolerance", 0.0))


def load_programs() -> list[CpuProgram]:
    """Returns all programs, the numeric ones first, each group by name."""
    programs = [load_program(path) for path in FOLDER.glob("*.py")]
    return sorted(programs, key=lambda program: (program.group != "numeric", program.name))
