"""The bars that kiln is to reach, and how far it is from each."""

import dataclasses

from cpu.program import Program
from cpu.ratios import TIMES, extra_memory_mb, mean_speedup, speedup
from cpu.rounds import Measurement

NEAR = 0.9  # a bar missed by no more than a tenth is "near"

# Of one program: name, time, peer that kiln is compared with, least ratio.
PROGRAM_BARS = [
    ("nested_float", "steady", "python", 60.0),
    ("nested_float", "steady", "numba", 0.95),
    ("lucas", "steady", "python", 10.0),
    ("lucas", "first", "numba", 5.0),
]

# Of the geometric mean of the numeric programs: time, peer, least ratio.
MEAN_BARS = [
    ("steady", "python", 15.0),
    ("steady", "pypy", 0.9),
]

# Of every program: time, peer, least ratio; and the most memory above python's.
EVERY_BARS = [
    ("steady", "python", 0.95),
    ("whole", "python", 0.95),
]
MEMORY_BAR_MB = 80.0


@dataclasses.dataclass(frozen=True)
class Verdict:
    """One bar and what was reached; `value` is None if a program or a peer that it needs did not run."""

    text: str
    value: float | None
    bar: float
    unit: str = "x"
    at_most: bool = False

    def word(self) -> str:
        """met, near (missed by a tenth or less), missed, or not measured."""
        if self.value is None:
            return "not measured"
        reached = self.bar / self.value if self.at_most and self.value > 0 else self.value / self.bar
        if self.at_most and self.value <= 0 or reached >= 1.0:
            return "met"
        return "near" if reached >= NEAR else "missed"


def verdict_on_program(measurement: Measurement, programs: list[Program], name: str, figure: str, over: str,
                       bar: float) -> Verdict:
    """Judges kiln on one program."""
    found = [program for program in programs if program.name == name]
    value = speedup(measurement, found[0], "kiln", over, figure) if found else None
    return Verdict(f"{name}, {TIMES[figure]}, against {over}", value, bar)


def verdicts_on_every(measurement: Measurement, programs: list[Program]) -> list[Verdict]:
    """Judges kiln by its worst program: the slowest ones, and the one with the most memory above python's."""
    verdicts = []
    for figure, over, bar in EVERY_BARS:
        known = [(speedup(measurement, program, "kiln", over, figure), program.name) for program in programs]
        value, name = min(((value, name) for value, name in known if value is not None), default=(None, "none"))
        verdicts.append(Verdict(f"every program, {TIMES[figure]}, against {over} (least: {name})", value, bar))
    known = [(extra_memory_mb(measurement, program, "kiln", "python"), program.name) for program in programs]
    value, name = max(((value, name) for value, name in known if value is not None), default=(None, "none"))
    verdicts.append(Verdict(f"every program, peak memory above python's (most: {name})", value, MEMORY_BAR_MB, " MB",
                            at_most=True))
    return verdicts


def judge(measurement: Measurement, programs: list[Program]) -> list[Verdict]:
    """Compares a run with every bar."""
    numeric = [program for program in programs if program.group == "numeric"]
    verdicts = [verdict_on_program(measurement, programs, *bar) for bar in PROGRAM_BARS]
    for figure, over, bar in MEAN_BARS:
        value = mean_speedup(measurement, numeric, "kiln", over, figure)
        text = f"numeric programs (mean of {len(numeric)}), {TIMES[figure]}, against {over}"
        verdicts.append(Verdict(text, value, bar))
    return verdicts + verdicts_on_every(measurement, programs)
