"""Runs the programs under the peers, round after round, and keeps every figure and every wrong result."""

import dataclasses
import json
import math
import pathlib
import statistics
import sys

from child import run_child
from cpu.peers import Peer
from cpu.program import Program

WORKER = str(pathlib.Path(__file__).parent / "worker.py")
CHILD_LIMIT = 300.0  # seconds that one child may take
STEADY_CALLS = 3     # at least, of which the second half counts
STEADY_SECONDS = 1.0


@dataclasses.dataclass
class Figures:
    """What one peer did with one program; one item for each round."""

    first: list[float] = dataclasses.field(default_factory=list)   # seconds of the first call in a process
    steady: list[float] = dataclasses.field(default_factory=list)  # median seconds of the second half of the calls
    whole: list[float] = dataclasses.field(default_factory=list)   # seconds of the script as a process
    peak_kb: list[int] = dataclasses.field(default_factory=list)   # the larger peak of the two processes


class Measurement:
    """All figures of a run, by program and peer name, and the problems met."""

    def __init__(self) -> None:
        self.figures: dict[tuple[str, str], Figures] = {}
        self.problems: list[str] = []
        self.results: dict[tuple[str, int], tuple[str, str]] = {}  # program and size -> peer and its result
        self.failed: set[tuple[str, str]] = set()

    def fail(self, program: Program, peer: Peer, reason: str) -> None:
        """Notes a failure; that pair is not run again, and its figures do not count."""
        self.problems.append(f"{program.name} under {peer.name}: {reason}")
        self.failed.add((program.name, peer.name))
        self.figures.pop((program.name, peer.name), None)

    def accept(self, program: Program, peer: Peer, size: int, result: str) -> bool:
        """Compares a result with the one of the first peer that ran the program at that size; says if it is right."""
        other, expected = self.results.setdefault((program.name, size), (peer.name, result))
        if same_result(program, peer, result, expected):
            return True
        self.fail(program, peer, f"the result for {size} is {clip(result)}, but {clip(expected)} under {other}")
        return False


def clip(text: str) -> str:
    """Shortens a result for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


def same_result(program: Program, peer: Peer, result: str, expected: str) -> bool:
    """Compares two printed results: exactly, but for Numba within the program's tolerance."""
    if result == expected:
        return True
    if not peer.numba or program.numba_tolerance == 0.0:
        return False
    return math.isclose(float(result), float(expected), rel_tol=program.numba_tolerance)


def applicable(program: Program, peer: Peer) -> bool:
    """Whether the peer can run the program at all."""
    return not (peer.numba and program.numba_reason)


def worker_command(program: Program, peer: Peer, size: int, *mode: str) -> list[str]:
    """Returns the command that runs a program through the worker."""
    kernels = ",".join(program.kernels) if peer.numba else "-"
    return [*peer.command, WORKER, str(program.path), str(size), kernels, *mode]


def run_calls(measurement: Measurement, program: Program, peer: Peer) -> tuple[float, float, int] | None:
    """Repeats the program in one process; returns (first call, steady call, peak memory), or None if it failed."""
    done = run_child(worker_command(program, peer, program.size, "calls", str(STEADY_CALLS), str(STEADY_SECONDS)),
                     CHILD_LIMIT)
    if done.failure():
        measurement.fail(program, peer, done.failure())
        return None
    answer = json.loads(done.output.splitlines()[-1])
    if not measurement.accept(program, peer, program.size, answer["result"]):
        return None
    times = answer["times"]
    return times[0], statistics.median(times[len(times) // 2:]), done.peak_kb


def run_whole(measurement: Measurement, program: Program, peer: Peer, size: int) -> tuple[float, int] | None:
    """Runs the program as a process of its own; returns (seconds, peak memory), or None if it failed."""
    if peer.numba:
        command = worker_command(program, peer, size, "whole")
    else:
        command = [*peer.command, str(program.path), str(size)]
    done = run_child(command, CHILD_LIMIT)
    if done.failure():
        measurement.fail(program, peer, done.failure())
        return None
    if not measurement.accept(program, peer, size, done.output.strip()):
        return None
    return done.seconds, done.peak_kb


def measure_pair(measurement: Measurement, program: Program, peer: Peer) -> None:
    """One round of one program under one peer."""
    calls = run_calls(measurement, program, peer)
    if calls is None:
        return
    whole = run_whole(measurement, program, peer, program.whole_size)
    if whole is None:
        return
    figures = measurement.figures.setdefault((program.name, peer.name), Figures())
    figures.first.append(calls[0])
    figures.steady.append(calls[1])
    figures.whole.append(whole[0])
    figures.peak_kb.append(max(calls[2], whole[1]))


def tell_progress(text: str) -> None:
    """Shows on a terminal what is being run, in one line that is written over; elsewhere says nothing."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def measure(programs: list[Program], peers: list[Peer], rounds: int) -> Measurement:
    """Runs everything `rounds` times: within a round program by program, and for each program peer by peer, so that a
    slow spell of the machine meets all peers. Every other round takes the peers in the reverse order."""
    measurement = Measurement()
    for number in range(rounds):
        for program in programs:
            for peer in peers if number % 2 == 0 else reversed(peers):
                if not applicable(program, peer) or (program.name, peer.name) in measurement.failed:
                    continue
                tell_progress(f"round {number + 1} of {rounds}: {program.name} under {peer.name}")
                measure_pair(measurement, program, peer)
    tell_progress("")
    return measurement


def check(programs: list[Program], peers: list[Peer]) -> Measurement:
    """Runs every program once under each peer at its small size, in both ways, for the results alone."""
    measurement = Measurement()
    for program in programs:
        for peer in peers:
            if not applicable(program, peer) or run_whole(measurement, program, peer, program.small) is None:
                continue
            done = run_child(worker_command(program, peer, program.small, "calls", "2", "0"), CHILD_LIMIT)
            if done.failure():
                measurement.fail(program, peer, done.failure())
            else:
                measurement.accept(program, peer, program.small, json.loads(done.output.splitlines()[-1])["result"])
    return measurement
