"""Writes a run as text and as JSON."""

import dataclasses

from suite.bars import Verdict
from suite.native import NativeDelay, native_delay
from suite.peers import Peer
from suite.program import Program
from suite.ratios import SCATTER, TIMES, mean_speedup, median, scatters, speedup, with_figure
from suite.rounds import Measurement
from text_table import text_table

FORMAT_VERSION = 3


def seconds_text(seconds: float) -> str:
    """Returns a time with three digits that matter."""
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000.0:.0f} ms" if seconds >= 0.1 else f"{seconds * 1000.0:.3g} ms"


def absent_text(measurement: Measurement, program: Program, peer: Peer) -> str:
    """Returns why a cell is empty."""
    if not program.applicable(peer):
        return "n/a"
    return "FAILED" if (program.name, peer.name) in measurement.failed else "-"


def bases_of(peer: Peer, peers: list[Peer]) -> list[str]:
    """Returns the peers that a peer's times are divided by: the first one, and for kiln `off` too."""
    bases = [] if peer is peers[0] else [peers[0].name]
    if peer.name == "kiln" and any(other.name == "off" for other in peers[1:]):
        bases.append("off")
    return bases


def ratio_text(ratio: float | None) -> str:
    """Returns a ratio with two decimals; empty for None."""
    return "" if ratio is None else f"{ratio:.2f}x"


def mean_rows(measurement: Measurement, programs: list[Program], peers: list[Peer], figure: str) -> list[list[str]]:
    """Returns the rows of geometric means, each over those of the programs that a peer ran."""
    groups = {program.group for program in programs}
    titles = [(f"mean of the {group}", [program for program in programs if program.group == group])
              for group in sorted(groups - {"other"})]
    rows = []
    for title, members in [*(titles if len(groups) > 1 else []), (f"mean of all {len(programs)}", programs)]:
        row = [title]
        for peer in peers:
            row += ["", *(ratio_text(mean_speedup(measurement, members, peer.name, base, figure))
                          for base in bases_of(peer, peers))]
        rows.append(row)
    return rows


def time_table(measurement: Measurement, programs: list[Program], peers: list[Peer], figure: str) -> str:
    """Returns the table of one kind of time: the seconds, and how many times as fast as the first peer (and as off)."""
    rows = [[""]]
    for peer in peers:
        rows[0] += [peer.name, *("" if base == peers[0].name else f"to {base}" for base in bases_of(peer, peers))]
    for program in programs:
        row = [program.name]
        for peer in peers:
            seconds = median(measurement, program, peer.name, figure)
            mark = "~" if scatters(measurement, program, peer.name, figure) else ""
            row.append(absent_text(measurement, program, peer) if seconds is None else mark + seconds_text(seconds))
            row += [ratio_text(speedup(measurement, program, peer.name, base, figure)) for base in bases_of(peer, peers)]
        rows.append(row)
    return text_table(rows + mean_rows(measurement, programs, peers, figure))


def memory_means(measurement: Measurement, programs: list[Program], peers: list[Peer], figure: str, whose: str) -> str:
    """Returns a line on the peak memory of one kind of process, as a multiple of the first peer's; empty if there is nothing
    to say."""
    ratios = {peer.name: mean_speedup(measurement, programs, peer.name, peers[0].name, figure) for peer in peers[1:]}
    means = ", ".join(f"{name} {ratio_text(1.0 / ratio)}" for name, ratio in ratios.items() if ratio)
    return f"of {whose} alone, as a multiple of {peers[0].name}'s (geometric mean): {means}\n" if means else ""


def memory_table(measurement: Measurement, programs: list[Program], peers: list[Peer]) -> str:
    """Returns the table of peak memory in MB, and lines with the means of the whole and of the short process's."""
    rows = [["", *(peer.name for peer in peers)]]
    for program in programs:
        row = [program.name]
        for peer in peers:
            peak = median(measurement, program, peer.name, "peak_kb")
            row.append(absent_text(measurement, program, peer) if peak is None else f"{peak / 1024:.0f} MB")
        rows.append(row)
    means = [memory_means(measurement, programs, peers, "whole_kb", "the whole process"),
             memory_means(measurement, programs, peers, "short_kb", "a short process")]
    return f"{text_table(rows)}\n{''.join(means)}"


def native_text(delay: NativeDelay) -> str:
    """Returns the line on how soon native code is there."""
    return (f"native code {delay.median_ms:.2f} ms after its recording, median of {delay.roots} roots of"
            f" {delay.programs} programs")


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
        if members := with_figure(programs, figure):
            parts.append(f"{title}: median, and how many times as fast as {peers[0].name}")
            parts.append(time_table(measurement, members, peers, figure) + "\n")
    parts.append(f"~ before a time: its rounds differ by more than {SCATTER:.0%}\n")
    parts.append("peak memory")
    parts.append(memory_table(measurement, programs, peers))
    if any(not program.applicable(peer) for program in programs for peer in peers):
        parts += [program.absence() for program in programs if program.absence()]
        parts.append("")
    if verdicts:
        parts.append("bars")
        parts.append(bars_text(verdicts) + "\n")
    if delay := native_delay(measurement):
        parts.append(native_text(delay) + "\n")
    return "\n".join(parts)


def report_json(suite: str, measurement: Measurement, programs: list[Program], peers: list[Peer],
                verdicts: list[Verdict], machine: dict[str, object], rounds: int) -> dict[str, object]:
    """Returns everything measured, each round by itself, as values that JSON can hold."""
    delay = native_delay(measurement)
    return {
        "version": FORMAT_VERSION,
        "suite": suite,
        "machine": machine,
        "rounds": rounds,
        "peers": {peer.name: peer.version for peer in peers},
        "programs": {
            program.name: {
                "group": program.group,
                "size": program.size,
                "whole_size": program.whole_size,
                "short_size": program.short_size,
                "native_ms": measurement.native_ms.get(program.name, []),
                "figures": {peer.name: dataclasses.asdict(measurement.figures[program.name, peer.name])
                            for peer in peers if (program.name, peer.name) in measurement.figures},
            }
            for program in programs
        },
        "native_code": delay and dataclasses.asdict(delay),
        "bars": [{**dataclasses.asdict(verdict), "verdict": verdict.word()} for verdict in verdicts],
        "problems": measurement.problems,
    }
