"""Runs the programs under the peers, round after round, and keeps every figure and every wrong result."""

import dataclasses
import json
import statistics

from child import Finished, run_child
from progress import Progress
from suite.peers import Peer
from suite.program import Job, Program

CHILD_LIMIT = 300.0  # seconds that one child may take
STEADY_CALLS = 3     # at least, of which the second half counts
STEADY_SECONDS = 1.0
SHORT_PROCESSES = 3  # a round; their median counts


@dataclasses.dataclass
class Figures:
    """What one peer did with one program; one item for each round."""

    first: list[float] = dataclasses.field(default_factory=list)   # seconds of the first call in a process
    steady: list[float] = dataclasses.field(default_factory=list)  # median seconds of the second half of the calls
    whole: list[float] = dataclasses.field(default_factory=list)   # seconds of the script as a process
    processor: list[float] = dataclasses.field(default_factory=list)  # of that process: seconds of all its threads
    peak_kb: list[int] = dataclasses.field(default_factory=list)   # the larger peak of the two processes
    whole_kb: list[int] = dataclasses.field(default_factory=list)  # that of the script as a process, which calls once
    short: list[float] = dataclasses.field(default_factory=list)   # seconds of a short process; empty if there is none
    short_kb: list[int] = dataclasses.field(default_factory=list)  # and its peak


class Measurement:
    """All figures of a run, by program and peer name, and the problems met."""

    def __init__(self) -> None:
        self.figures: dict[tuple[str, str], Figures] = {}
        self.problems: list[str] = []
        self.results: dict[tuple[str, int], tuple[str, str]] = {}  # program and size -> peer and its result
        self.failed: set[tuple[str, str]] = set()
        self.native_ms: dict[str, list[float]] = {}  # by program name; suite/native.py gathers it

    def fail(self, program: Program, peer: Peer, reason: str) -> None:
        """Notes a failure; that pair is not run again, and its figures do not count."""
        self.problems.append(f"{program.name} under {peer.name}: {reason}")
        self.failed.add((program.name, peer.name))
        self.figures.pop((program.name, peer.name), None)

    def accept(self, program: Program, peer: Peer, size: int, result: str) -> bool:
        """Compares a result with the one of the first peer that ran the program at that size; says if it is right."""
        other, expected = self.results.setdefault((program.name, size), (peer.name, result))
        if program.same_result(peer, result, expected):
            return True
        self.fail(program, peer, f"the result for {size} is {clip(result)}, but {clip(expected)} under {other}")
        return False


def clip(text: str) -> str:
    """Shortens a result for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


def run_job(job: Job) -> Finished:
    """Runs a process to its end, or kills it at the limit."""
    return run_child(job.command, CHILD_LIMIT, job.environment)


def run_calls(measurement: Measurement, program: Program, peer: Peer, size: int, count: int,
              seconds: float) -> tuple[list[float], Finished] | None:
    """Repeats the program in one process; returns the calls' times and the process, or None if it failed."""
    done = run_job(program.calls_job(peer, size, count, seconds))
    if done.failure():
        measurement.fail(program, peer, done.failure())
        return None
    if not done.output.strip():
        measurement.fail(program, peer, "it ran nothing and told no times")
        return None
    answer = json.loads(done.output.splitlines()[-1])
    if not measurement.accept(program, peer, size, answer["result"]):
        return None
    return answer["times"], done


def run_whole(measurement: Measurement, program: Program, peer: Peer, size: int) -> Finished | None:
    """Runs the program as a process of its own; returns the process, or None if it failed."""
    done = run_job(program.whole_job(peer, size))
    if done.failure():
        measurement.fail(program, peer, done.failure())
        return None
    return done if measurement.accept(program, peer, size, done.output.strip()) else None


def run_short(measurement: Measurement, program: Program, peer: Peer) -> list[Finished] | None:
    """Runs the short processes of a round; returns them, none where there are none, None after a failure.
    Under Numba there are none: its import alone takes many times as long."""
    processes = []
    for _ in range(SHORT_PROCESSES if program.short_size and not peer.numba else 0):
        done = run_whole(measurement, program, peer, program.short_size)
        if done is None:
            return None
        processes.append(done)
    return processes


def measure_pair(measurement: Measurement, program: Program, peer: Peer, seconds: float) -> None:
    """One round of one program under one peer."""
    calls = run_calls(measurement, program, peer, program.size, STEADY_CALLS, seconds)
    if calls is None:
        return
    whole = run_whole(measurement, program, peer, program.whole_size)
    if whole is None:
        return
    short = run_short(measurement, program, peer)
    if short is None:
        return
    times, process = calls
    figures = measurement.figures.setdefault((program.name, peer.name), Figures())
    figures.first.append(times[0])
    figures.steady.append(statistics.median(times[len(times) // 2:]))
    figures.whole.append(whole.seconds)
    figures.processor.append(whole.processor_seconds)
    figures.peak_kb.append(max(process.peak_kb, whole.peak_kb))
    figures.whole_kb.append(whole.peak_kb)
    if short:
        figures.short.append(statistics.median(done.seconds for done in short))
        figures.short_kb.append(statistics.median(done.peak_kb for done in short))


def measure(programs: list[Program], peers: list[Peer], rounds: int, seconds: float = STEADY_SECONDS) -> Measurement:
    """Runs everything `rounds` times: within a round program by program, and for each program peer by peer, so that a
    slow spell of the machine meets all peers. Every other round takes the peers in the reverse order."""
    measurement = Measurement()
    progress = Progress(rounds * sum(program.applicable(peer) for program in programs for peer in peers))
    for number in range(rounds):
        for program in programs:
            for peer in peers if number % 2 == 0 else reversed(peers):
                if not program.applicable(peer):
                    continue
                if (program.name, peer.name) in measurement.failed:
                    progress.skip()
                    continue
                progress.step(f"round {number + 1} of {rounds}: {program.name} under {peer.name}")
                measure_pair(measurement, program, peer, seconds)
    progress.finish()
    return measurement


def check(programs: list[Program], peers: list[Peer]) -> Measurement:
    """Runs every program once under each peer at its small size, in both ways, for the results alone."""
    measurement = Measurement()
    pairs = [(program, peer) for program in programs for peer in peers if program.applicable(peer)]
    progress = Progress(len(pairs))
    for program, peer in pairs:
        progress.step(f"{program.name} under {peer.name}")
        if run_calls(measurement, program, peer, program.small, 2, 0.0):
            run_whole(measurement, program, peer, program.small)
    progress.finish()
    return measurement
