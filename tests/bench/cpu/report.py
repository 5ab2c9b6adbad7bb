"""Writes a run as text and as JSON."""

import dataclasses

from cpu.bars import Verdict
from cpu.peers import Peer
from cpu.program import Program
from cpu.ratios import SCATTER, TIMES, mean_speedup, median, scatters, speedup
from cpu.rounds import Measurement, applicable
from text_table import text_table

FORMAT_VERSION = 1
# Geometric means, each over those of the programs that a peer ran.
MEANS = (("mean of the numeric", lambda program: program.group == "numeric"), ("mean of all", lambda program: True))


def seconds_text(seconds: float) -> str:
    """Returns a time with three digits that matter."""
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000.0:.0f} ms" if seconds >= 0.1 else f"{seconds * 1000.0:.3g} ms"


def absent_text(measurement: Measurement, program: Program, peer: Peer) -> str:
    """Returns why a cell is empty."""
    if not applicable(program, peer):
        return "n/a"
    return "FAILED" if (program.name, peer.name) in measurement.failed else "-"


def time_table(measurement: Measurement, programs: list[Program], peers: list[Peer], figure: str) -> str:
    """Returns the table of one kind of time: the seconds, and how many times as fast as the first peer."""
    base = peers[0].name
    rows = [["", base, *(cell for peer in peers[1:] for cell in (peer.name, ""))]]
    for program in programs:
        row = [program.name]
        for peer in peers:
            seconds = median(measurement, program, peer.name, figure)
            mark = "~" if scatters(measurement, program, peer.name, figure) else ""
            row.append(absent_text(measurement, program, peer) if seconds is None else mark + seconds_text(seconds))
            if peer.name != base:
                ratio = speedup(measurement, program, peer.name, base, figure)
                row.append("" if ratio is None else f"{ratio:.2f}x")
        rows.append(row)
    for title, chosen in MEANS:
        members = [program for program in programs if chosen(program)]
        row = [title, ""]
        for peer in peers[1:]:
            mean = mean_speedup(measurement, members, peer.name, base, figure)
            row += ["", "" if mean is None else f"{mean:.2f}x"]
        rows.append(row)
    return text_table(rows)


def memory_table(measurement: Measurement, programs: list[Program], peers: list[Peer]) -> str:
    """Returns the table of peak memory in MB."""
    rows = [["", *(peer.name for peer in peers)]]
    for program in programs:
        row = [program.name]
        for peer in peers:
            peak = median(measurement, program, peer.name, "peak_kb")
            row.append(absent_text(measurement, program, peer) if peak is None else f"{peak / 1024:.0f} MB")
        rows.append(row)
    return text_table(rows)


def bars_text(verdicts: list[Verdict]) -> str:
    """Returns one line for each bar."""
    rows = []
    for verdict in verdicts:
        value = "" if verdict.value is None else f"{verdict.value:.2f}{verdict.unit}"
        rows.append([f"{verdict.word():13s}{verdict.text}", value,
                     f"{'at most' if verdict.at_most else 'at least'} {verdict.bar:g}{verdict.unit}"])
    return text_table(rows)


def report_text(measurement: Measurement, programs: list[Program], peers: list[Peer], verdicts: list[Verdict]) -> str:
    """Returns all tables of a run."""
    parts = []
    for figure, title in TIMES.items():
        parts.append(f"{title}: median time, and how many times as fast as {peers[0].name}")
        parts.append(time_table(measurement, programs, peers, figure) + "\n")
    parts.append(f"~ before a time: its rounds differ by more than {SCATTER:.0%}\n")
    parts.append("peak memory")
    parts.append(memory_table(measurement, programs, peers) + "\n")
    if any(peer.numba for peer in peers):
        for program in programs:
            if program.numba_reason:
                parts.append(f"not for numba: {program.name}: {program.numba_reason}")
        parts.append("")
    if verdicts:
        parts.append("bars")
        parts.append(bars_text(verdicts) + "\n")
    return "\n".join(parts)


def report_json(measurement: Measurement, programs: list[Program], peers: list[Peer], verdicts: list[Verdict],
                machine: dict[str, object], rounds: int) -> dict[str, object]:
    """Returns everything measured, each round by itself, as values that JSON can hold."""
    return {
        "version": FORMAT_VERSION,
        "suite": "cpu",
        "machine": machine,
        "rounds": rounds,
        "peers": {peer.name: peer.version for peer in peers},
        "programs": {
            program.name: {
                "group": program.group,
                "size": program.size,
                "whole_size": program.whole_size,
                "figures": {peer.name: dataclasses.asdict(measurement.figures[program.name, peer.name])
                            for peer in peers if (program.name, peer.name) in measurement.figures},
            }
            for program in programs
        },
        "bars": [{**dataclasses.asdict(verdict), "verdict": verdict.word()} for verdict in verdicts],
        "problems": measurement.problems,
    }
