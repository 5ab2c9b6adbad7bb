"""How soon kiln's native code is there after a recording, by the reports of processes that are not measured otherwise."""

import dataclasses
import json
import pathlib
import statistics
import tempfile

from progress import Progress
from suite.peers import Peer
from suite.program import Program
from suite.rounds import STEADY_CALLS, Measurement, run_calls


def first_native_ms(report: dict) -> list[float]:
    """Returns of each root of a report that got native code the processor ms from the end of its recording to that."""
    roots = [root for function in report["functions"] for root in function["roots"]]
    return [root["first_ms"] for root in roots if root["first_ms"] > 0.0]


def gather_program(measurement: Measurement, program: Program, kiln: Peer) -> None:
    """Runs one program with the report on, for as few calls as a steady process makes, and notes its roots."""
    with tempfile.TemporaryDirectory() as folder:
        variables = kiln.environment | {"KILN_REPORT": str(pathlib.Path(folder) / "report.json")}
        # Its name keeps kiln's figures, should this fail, which is a problem.
        reporting = dataclasses.replace(kiln, name=f"{kiln.name} with a report", environment=variables)
        if run_calls(measurement, program, reporting, program.size, STEADY_CALLS, 0.0) is None:
            return
        try:
            reports = [json.loads(path.read_text()) for path in pathlib.Path(folder).glob("*.json")]  # children write theirs
        except ValueError as error:
            measurement.fail(program, reporting, f"its report can't be read: {error}")
            return
    measurement.native_ms[program.name] = [ms for report in reports for ms in first_native_ms(report)]


def gather_native(measurement: Measurement, programs: list[Program], peers: list[Peer]) -> None:
    """Fills in `native_ms`, with a process of its own for each program that kiln has figures of: the report would slow
    a measured one down."""
    pairs = [(program, peer) for program in programs for peer in peers
             if peer.name == "kiln" and (program.name, peer.name) in measurement.figures]
    progress = Progress(len(pairs))
    for program, kiln in pairs:
        progress.step(f"report of {program.name} under {kiln.name}")
        gather_program(measurement, program, kiln)
    progress.finish()


@dataclasses.dataclass(frozen=True)
class NativeDelay:
    """The median over all roots of all programs that got native code."""

    median_ms: float
    roots: int
    programs: int


def native_delay(measurement: Measurement) -> NativeDelay | None:
    """Sums `native_ms` up; None if no root got native code."""
    known = [times for times in measurement.native_ms.values() if times]
    every = [ms for times in known for ms in times]
    return NativeDelay(statistics.median(every), len(every), len(known)) if every else None
