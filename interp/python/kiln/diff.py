"""`kiln -m kiln diff BEFORE.json AFTER.json`: what got faster or slower, native or not native any more.

A function's time is a count of samples; between two runs that did the same, it scatters as such counts do, by the square root,
and by a few per cent since no two runs are the same. A difference within three times that is called noise.
"""

import math
from dataclasses import dataclass
from typing import Any

from kiln.annotate import printable, title
from kiln.report_file import ReportError, load, say, total_seconds
from kiln.wording import counted

LEAST_PART = 0.005  # of the longer run: smaller changes are not worth a line
SCATTER = 0.02      # of a function's time, besides the counting
DEVIATIONS = 3


@dataclass
class Change:
    """One function in two runs. Seconds, samples, and whether it was native."""

    name: str
    place: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    @property
    def seconds(self) -> tuple[float, float]:
        """In itself, before and after."""
        return tuple(function["self_s"] if function else 0.0 for function in (self.before, self.after))

    @property
    def difference(self) -> float:
        """Positive when it takes longer now."""
        return self.seconds[1] - self.seconds[0]

    def noise(self, interval: float) -> float:
        """How much of a difference may be chance."""
        variance = sum(interval * seconds + (SCATTER * seconds) ** 2 for seconds in self.seconds)
        return DEVIATIONS * math.sqrt(variance + interval**2)

    def tiers(self) -> tuple[str, str]:
        """Where it ran, before and after."""
        return tuple(function["tier"] if function else "-" for function in (self.before, self.after))

    def reason(self) -> str:
        """Why it is not native now; empty when nothing says so."""
        for root in self.after["roots"] if self.after else []:
            if root["refusal"] and root["state"] != "compiled":
                refusal = root["refusal"]
                return f"{refusal['code']} line {refusal['line']}: {refusal['detail'] or title(refusal['code'])}"
        return ""


def keyed(report: dict[str, Any]) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Functions by file name, name, and their order among those of the same name: lines may have moved."""
    seen: dict[tuple[str, str], int] = {}
    rows = {}
    for function in sorted(report["functions"], key=lambda function: function["first_line"]):
        key = (function["file"].rpartition("/")[2], function["name"])
        seen[key] = seen.get(key, 0) + 1
        rows[(*key, seen[key])] = function
    return rows


def changes_of(before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    """Every function of both reports, the greatest change first."""
    old, new = keyed(before), keyed(after)
    changes = []
    for key in {**old, **new}:
        function = new.get(key) or old[key]
        changes.append(Change(key[1], f"{key[0]}:{function['first_line']}", old.get(key), new.get(key)))
    return sorted(changes, key=lambda change: (-abs(change.difference), change.place, change.name))


def line_of(change: Change) -> str:
    """One function as a line."""
    before, after = change.seconds
    factor = f"{after / before:6.2f}x" if before > 0 else "    new" if change.before is None else "      -"
    tiers = change.tiers()
    tier = tiers[0] if tiers[0] == tiers[1] else f"{tiers[0]} -> {tiers[1]}"
    return printable(f"  {before:9.3f} s -> {after:9.3f} s {factor}  {tier:12}  {change.name} {change.place}")


def print_group(heading: str, changes: list[Change], reasons: bool = False) -> None:
    """A heading with its functions, or nothing."""
    if changes:
        print(heading)
    for change in changes:
        print(line_of(change))
        if reasons and change.reason():
            print(" " * 12 + printable(change.reason()))


def print_diff(before_path: str, after_path: str) -> int:
    """Prints the comparison. The exit status."""
    try:
        before, after = load(before_path), load(after_path)
    except ReportError as error:
        return say(str(error))
    interval = max(before["interval_ms"], after["interval_ms"]) / 1000
    old, new = total_seconds(before), total_seconds(after)
    whole = Change("all", "", {"self_s": old, "tier": "", "roots": []}, {"self_s": new, "tier": "", "roots": []})
    verdict = "within noise" if abs(whole.difference) <= whole.noise(interval) else "a change"
    factor = f", {new / old:.2f}x" if old > 0 else ""
    print(f"{old:.3f} s -> {new:.3f} s{factor}: {verdict}")
    shares = tuple(100 * report["share"]["native"] for report in (before, after))
    print(f"native {shares[0]:.0f} % -> {shares[1]:.0f} %")
    shown = [change for change in changes_of(before, after) if max(change.seconds) >= LEAST_PART * max(old, new)]
    real = [change for change in shown if abs(change.difference) > change.noise(interval)]
    print_group("not native any more:", [c for c in shown if c.tiers()[0] == "native" and c.tiers()[1] == "interpreted"], True)
    print_group("native now:", [c for c in shown if c.tiers()[0] in ("interpreted", "-") and c.tiers()[1] == "native"])
    print_group("slower:", [change for change in real if change.difference > 0])
    print_group("faster:", [change for change in real if change.difference < 0])
    quiet = len(shown) - len(real)
    print(f"{counted(quiet, 'function')} within noise, {len(changes_of(before, after)) - len(shown)} too small to tell")
    return 0
