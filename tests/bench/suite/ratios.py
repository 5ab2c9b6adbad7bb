"""Medians, ratios and geometric means of the figures of a run."""

import math
import statistics

from suite.program import Program
from suite.rounds import Measurement

SCATTER = 0.2  # of the median, between the fastest and the slowest round

# The times of a program: attribute of Figures -> how a report calls it.
TIMES = {"steady": "steady state", "first": "first call", "whole": "whole process", "short": "short process",
         "processor": "processor time of the whole process"}


def with_figure(programs: list[Program], figure: str) -> list[Program]:
    """Returns the programs that an attribute of Figures is measured of."""
    return [program for program in programs if not figure.startswith("short") or program.short_size]


def values_of(measurement: Measurement, program: Program, peer: str, figure: str) -> list[float]:
    """Returns an attribute of Figures, round by round; empty if the pair did not run."""
    figures = measurement.figures.get((program.name, peer))
    return getattr(figures, figure) if figures else []


def median(measurement: Measurement, program: Program, peer: str, figure: str) -> float | None:
    """Returns the median over the rounds of an attribute of Figures, or None if the pair has none."""
    values = values_of(measurement, program, peer, figure)
    return statistics.median(values) if values else None


def speedup(measurement: Measurement, program: Program, peer: str, over: str, figure: str) -> float | None:
    """Returns how many times as fast as `over` a peer is; None if one of them did not run."""
    mine = median(measurement, program, peer, figure)
    theirs = median(measurement, program, over, figure)
    return theirs / mine if mine and theirs else None


def scatters(measurement: Measurement, program: Program, peer: str, figure: str) -> bool:
    """Whether the rounds lie so far apart that their median says little; False if the pair has none."""
    values = values_of(measurement, program, peer, figure)
    return bool(values) and max(values) - min(values) > SCATTER * statistics.median(values)


def extra_memory_mb(measurement: Measurement, program: Program, peer: str, over: str) -> float | None:
    """Returns by how many MB a peer's peak memory is above that of `over`; None if one of them did not run."""
    mine = median(measurement, program, peer, "peak_kb")
    theirs = median(measurement, program, over, "peak_kb")
    return (mine - theirs) / 1024 if mine and theirs else None


def mean_speedup(measurement: Measurement, programs: list[Program], peer: str, over: str, figure: str) -> float | None:
    """Returns the geometric mean of `speedup` over the programs that ran under both; None if there is none."""
    known = [speedup(measurement, program, peer, over, figure) for program in programs]
    known = [ratio for ratio in known if ratio is not None]
    return math.exp(statistics.fmean(map(math.log, known))) if known else None
