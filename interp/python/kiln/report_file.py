"""Report files, read: what the commands that turn a report into something else share."""

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import _kiln

TIERS = ("interpreted", "c", "quick", "thorough", "waiting", "kernel", "idle")


class ReportError(Exception):
    """A file that is no report; the text says why."""


class Frame(NamedTuple):
    """One frame of a sampled stack."""

    name: str
    file: str
    first_line: int
    line: int
    tier: str


class Stack(NamedTuple):
    """A stack that samples ended in, outermost frame first."""

    frames: tuple[Frame, ...]
    samples: int
    seconds: float


REMEDY = "KILN_REPORT=FILE.json kiln PROGRAM.py writes a report"


def not_shown(path: str, problem: object) -> str:
    """That a file is no report, why, and what helps."""
    return f"cannot show {path}: {problem}; {REMEDY}"


def read(path: str) -> str:
    """The text of a report file; ReportError when it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        remedy = f"; {REMEDY}" if isinstance(error, FileNotFoundError) else ""
        raise ReportError(f"cannot read {path}: {error.strerror}{remedy}") from error
    except ValueError as error:
        raise ReportError(not_shown(path, "not JSON: not UTF-8 text")) from error


def merged(paths: list[str]) -> str:
    """The text of one report for several files. It has every member, of its own type, whatever is in the files; ReportError names
    the first that is no report."""
    texts = []
    for path in paths:
        try:
            texts.append(_kiln.merge_reports(read(path)))
        except ValueError as error:
            raise ReportError(not_shown(path, error)) from error
    return _kiln.merge_reports(*texts) if len(texts) > 1 else texts[0]


def load(path: str) -> dict[str, Any]:
    """The report in a file; ReportError when there is none."""
    return json.loads(merged([path]))


def total_seconds(report: dict[str, Any]) -> float:
    """The time of all functions."""
    return sum(function["self_s"] for function in report["functions"])


def tier_seconds(report: dict[str, Any]) -> list[dict[str, float]]:
    """The seconds of each function by tier."""
    times: list[dict[str, float]] = [{} for _ in report["functions"]]
    frames = report["stacks"]["frames"]
    for _, frame, _, seconds in report["stacks"]["nodes"]:
        index, _, tier = frames[frame]
        if 0 <= index < len(times):
            times[index][tier] = times[index].get(tier, 0.0) + seconds
    return times


def import_row(functions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The functions, those of the import system as one; most time first."""
    rows, imports = [], []
    for function in functions:
        is_import = function["file"].startswith(("<frozen importlib", "<frozen zipimport"))
        (imports if is_import else rows).append(function)
    if imports:
        seconds = sum(function["self_s"] for function in imports)
        share = {"interpreted": 1.0, "native": 0.0, "compile": 0.0}
        tiers: Counter[str] = Counter()
        for function in imports:
            tiers.update(function.get("tiers", {}))
        row = {"name": "imports", "file": "", "self_s": seconds, "share": share, "tiers": tiers, "roots": []}
        rows.append({**imports[0], **row})
    return sorted(rows, key=lambda function: -function["self_s"])


def name_in_report(path: str) -> str:
    """A file's name as reports have it: with an escape for each byte that is no UTF-8."""
    return "".join(f"\\u{ord(character):04x}" if "\udc80" <= character <= "\udcff" else character for character in path)


def name_on_disk(file: str) -> str:
    """The name of a report's file as open() takes it."""
    return re.sub(r"\\u(dc[89a-f][0-9a-f])", lambda escape: chr(int(escape[1], 16)), file)


def base_name(file: str) -> str:
    """A file's name without its folder; all of "<kiln numba/cuda/arrays.py>" and the like."""
    return file if file.startswith("<") else os.path.basename(file)


def function_name(function: dict[str, Any]) -> str:
    """Name and place of a function, in short."""
    place = f" {base_name(function['file'])}:{function['first_line']}" if function["file"] else ""
    return function["name"] + place


def tiers_of(function: dict[str, Any]) -> str:
    """Where a function's time went, in per cent: "native 83, interpreted 17"."""
    shares = sorted(function["share"].items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {100 * share:.0f}" for name, share in shares if share >= 0.005)


def reason_of(function: dict[str, Any]) -> tuple[str, int]:
    """Code and line of why a function with interpreted time is not native; ("", 0) for none."""
    if function["share"]["interpreted"] > 0.05:
        for root in function["roots"]:
            if root["refusal"] and root["state"] != "compiled":
                return root["refusal"]["code"], root["refusal"]["line"] or root["line"]
    return "", 0


def frames_of(report: dict[str, Any]) -> list[Frame]:
    """The interned frames of a report's stacks."""
    frames = []
    for index, line, tier in report.get("stacks", {}).get("frames", []):
        if 0 <= index < len(report["functions"]):
            function = report["functions"][index]
            frames.append(Frame(function["name"], function["file"], function["first_line"], line, tier))
        else:
            frames.append(Frame("(more frames)", "", 0, 0, tier))
    return frames


def stacks_of(report: dict[str, Any]) -> Iterator[Stack]:
    """Every stack that samples ended in."""
    frames = frames_of(report)
    stacks: list[tuple[Frame, ...]] = []
    for parent, frame, samples, seconds in report.get("stacks", {}).get("nodes", []):
        stack = (*(stacks[parent] if parent >= 0 else ()), frames[frame])
        stacks.append(stack)
        if samples > 0:
            yield Stack(stack, samples, seconds)


def say(message: str) -> int:
    """Prints an error of a command; its exit status."""
    print(f"kiln: {message}", file=sys.stderr)
    return 1
