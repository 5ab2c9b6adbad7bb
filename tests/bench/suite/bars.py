"""The bars that kiln is to reach, and how far it is from each."""

import dataclasses

from suite.native import native_delay
from suite.program import Program
from suite.ratios import TIMES, extra_memory_mb, mean_speedup, median, speedup, with_figure
from suite.rounds import Measurement

# What bars are about: attribute of Figures -> how a report calls it.
FIGURES = TIMES | {"whole_kb": "peak memory of the whole process", "short_kb": "peak memory of a short process"}

SLOWEST = 0.97           # the least speedup of any program,
SLOWEST_ONE_CORE = 0.95  # and where kiln's threads share one core with the program

NEAR = 0.9  # a bar missed by no more than a tenth is "near"


@dataclasses.dataclass(frozen=True)
class Bar:
    """A bound on a figure of kiln. The bound is the least speedup over a peer; for processor time it is the most that
    kiln may take, as a multiple of the peer's, and for whole_kb and short_kb; for peak_kb the most MB above the peer's, for native_ms the
    most milliseconds."""

    of: str      # a program's name, "every" for the worst program, "mean" for the geometric mean, "roots" for native_ms
    figure: str  # an attribute of Figures, or native_ms
    over: str    # the peer; "" for native_ms
    bound: float
    group: str = ""  # of the programs that a mean or "every" is over; all without one
    one_core: float | None = None  # the bound where everything runs on one core, if that is another

    def at_most(self) -> bool:
        """Whether a larger figure is worse."""
        return self.figure in ("processor", "whole_kb", "short_kb", "peak_kb", "native_ms")

    def unit(self) -> str:
        """What the bound counts."""
        return {"peak_kb": " MB", "native_ms": " ms"}.get(self.figure, "x")

    def on_one_core(self) -> "Bar":
        """The bar for a run on one core."""
        return self if self.one_core is None else dataclasses.replace(self, bound=self.one_core)


# Those that the suites share.
NATIVE_CODE = Bar("roots", "native_ms", "", 1.0)
NO_SLOWER = [Bar("every", figure, "python", SLOWEST, one_core=SLOWEST_ONE_CORE) for figure in ("steady", "whole")]


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


def reached_by(measurement: Measurement, program: Program, bar: Bar) -> float | None:
    """Returns what one program reaches of a bar; None if it was not measured."""
    if bar.figure == "peak_kb":
        return extra_memory_mb(measurement, program, "kiln", bar.over)
    if not bar.at_most():
        return speedup(measurement, program, "kiln", bar.over, bar.figure)
    mine = median(measurement, program, "kiln", bar.figure)
    theirs = median(measurement, program, bar.over, bar.figure)
    return mine / theirs if mine and theirs else None


def members_of(programs: list[Program], bar: Bar) -> list[Program]:
    """Returns the programs that a mean or "every" is over."""
    return [program for program in with_figure(programs, bar.figure) if bar.group in ("", program.group)]


def verdict_on_mean(measurement: Measurement, programs: list[Program], bar: Bar) -> Verdict:
    """Judges kiln by a geometric mean."""
    members = members_of(programs, bar)
    value = mean_speedup(measurement, members, "kiln", bar.over, bar.figure)
    if value is not None and bar.at_most():
        value = 1.0 / value
    whose = f"{bar.group} programs" if bar.group else "all programs"
    return Verdict(f"{whose} (mean of {len(members)}), {FIGURES[bar.figure]}, against {bar.over}", value, bar.bound,
                   bar.unit(), bar.at_most())


def verdict_on_worst(measurement: Measurement, programs: list[Program], bar: Bar) -> Verdict:
    """Judges kiln by its worst program."""
    members = members_of(programs, bar)
    known = [(reached_by(measurement, program, bar), program.name) for program in members]
    worst, word = (max, "most") if bar.at_most() else (min, "least")
    value, name = worst(((value, name) for value, name in known if value is not None), default=(None, "none"))
    what = (f"peak memory above {bar.over}'s" if bar.figure == "peak_kb"
            else f"{FIGURES[bar.figure]}, against {bar.over}")
    which = f"{bar.group} program" if bar.group else "program"
    return Verdict(f"every {which}, {what} ({word}: {name})", value, bar.bound, bar.unit(), bar.at_most())


def verdict_on_program(measurement: Measurement, programs: list[Program], bar: Bar) -> Verdict:
    """Judges kiln on one program."""
    found = [program for program in programs if program.name == bar.of]
    value = reached_by(measurement, found[0], bar) if found else None
    return Verdict(f"{bar.of}, {FIGURES[bar.figure]}, against {bar.over}", value, bar.bound, bar.unit(), bar.at_most())


def verdict_on_roots(measurement: Measurement, programs: list[Program], bar: Bar) -> Verdict:
    """Judges kiln by how soon its native code is there."""
    delay = native_delay(measurement)
    return Verdict("native code after its recording (median of all roots)", delay and delay.median_ms, bar.bound,
                   bar.unit(), bar.at_most())


def judge(measurement: Measurement, programs: list[Program], bars: list[Bar]) -> list[Verdict]:
    """Compares a run with every bar."""
    judges = {"mean": verdict_on_mean, "every": verdict_on_worst, "roots": verdict_on_roots}
    return [judges.get(bar.of, verdict_on_program)(measurement, programs, bar) for bar in bars]
