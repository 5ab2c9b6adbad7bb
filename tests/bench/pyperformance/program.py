"""How a benchmark of pyperformance is run: its own script, with a stand-in for pyperf before it."""

import dataclasses
import os
import pathlib

from pyperformance.benchmarks import ROWS
from suite.peers import ROOT, Peer
from suite.program import MEASURED, Job, Program

HERE = pathlib.Path(__file__).parent
FOLDER = ROOT / "build" / "bench" / "pyperformance"
REQUIREMENTS = HERE / "requirements.txt"
SCRIPTS = FOLDER / "lib" / "python3.12" / "site-packages" / "pyperformance" / "data-files" / "benchmarks"

DONE = "done"  # what the stand-in prints after one call

# Both come before the environment's packages.
SEARCHED = os.pathsep.join((str(HERE / "standin"), str(MEASURED)))


@dataclasses.dataclass(frozen=True)
class Benchmark(Program):
    """One benchmark; its size is the number of loops in a call."""

    inner_name: str = ""
    arguments: tuple[str, ...] = ()

    def script_job(self, peer: Peer, loops: int, **variables: str) -> Job:
        """Returns the process of the script, with the stand-in's variables set."""
        variables |= {"PYTHONPATH": SEARCHED, "BENCH_NAME": self.inner_name, "BENCH_LOOPS": str(loops)}
        return Job([*peer.command, str(self.path), *self.arguments], {**peer.environment, **variables})

    def calls_job(self, peer: Peer, size: int, count: int, seconds: float) -> Job:
        return self.script_job(peer, size, BENCH_CALLS=f"{count} {seconds}")

    def whole_job(self, peer: Peer, size: int) -> Job:
        return self.script_job(peer, size)

    def same_result(self, peer: Peer, result: str, expected: str) -> bool:
        """Compares what repeated calls told; the one call of a whole process tells nothing but that it is done."""
        return result in (expected, DONE)


def load_programs() -> list[Benchmark]:
    """Returns all benchmarks by name."""
    return [Benchmark(name, SCRIPTS / f"bm_{folder}" / "run_benchmark.py", "pyperformance", loops, 1, 1, inner, arguments)
            for name, folder, inner, loops, arguments in ROWS]
