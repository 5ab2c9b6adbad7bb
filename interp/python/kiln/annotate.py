"""`kiln -m kiln report FILE.json --source FILE[:FUNCTION]`: source text with time, tier and what happened at each line."""

import os
from typing import Any

from kiln.reasons import REASONS
from kiln.report_file import ReportError, base_name, load, name_in_report, name_on_disk, say, stacks_of, total_seconds

STATES = {
    "blacklisted": "given up", "compiled": "compiled", "counting": "not hot yet", "recording": "watched", "compiling": "being compiled",
}  # fmt: skip
GLYPHS = {"interpreted": "·", "c": "c", "quick": "q", "thorough": "N", "waiting": "w", "kernel": "K", "idle": "-"}
LEGEND = "· interpreted  c in C functions  q quick native code  N thorough native code  w waiting for the compiler  K kernel  - no thread runs"


def is_wanted(function: dict[str, Any], file: str, name: str) -> bool:
    """Whether the command line means this function."""
    path = function["file"]
    same_file = path == file or path.endswith("/" + file.lstrip("./")) or os.path.abspath(file) == path
    return same_file and name in ("", function["name"], function["name"].rpartition(".")[2])


def tiers_by_line(report: dict[str, Any]) -> dict[tuple[str, int], dict[str, float]]:
    """Seconds by tier of each line of each file."""
    lines: dict[tuple[str, int], dict[str, float]] = {}
    for stack in stacks_of(report):
        top = stack.frames[-1]
        parts = lines.setdefault((top.file, top.line), {})
        parts[top.tier] = parts.get(top.tier, 0) + stack.seconds
    return lines


def notes_of(function: dict[str, Any]) -> dict[int, list[str]]:
    """What happened at which line."""
    notes: dict[int, list[str]] = {}
    for root in function["roots"]:
        rounds = root["iterations"]
        total = rounds["native"] + rounds["interpreted"]
        counts = f", {rounds['native']} of {total} rounds native" if total > 0 else ""
        is_inlined = root["state"] == "counting" and rounds["native"] > rounds["interpreted"]
        state = "in compiled code of what is around it" if is_inlined else STATES[root["state"]]
        notes.setdefault(root["line"], []).append(f"{root['kind']}: {state}{counts}")
        for way in root["exits"]:
            notes.setdefault(way["line"], []).append(f"{way['reason']} left {way['count']}x: {title(way['reason'])}")
        if root["refusal"]:
            refusal = root["refusal"]
            why = refusal["detail"] or title(refusal["code"])
            notes.setdefault(refusal["line"] or root["line"], []).append(f"{refusal['code']} not native: {why}")
        for operation in root["opaque"]:
            notes.setdefault(operation["line"], []).append(f"done by CPython: {operation['operation']}")
    return notes


def title(code: str) -> str:
    """What a code means, in short."""
    return REASONS[code].title if code in REASONS else ""


def printable(text: str) -> str:
    """Text that does nothing to a terminal."""
    return "".join(character if character.isprintable() or character == "\t" else "?" for character in text)


def print_lines(report: dict[str, Any], function: dict[str, Any], text: list[str]) -> None:
    """One function: its head, and each line from the first to the last about which something is known."""
    total = total_seconds(report)
    tiers = tiers_by_line(report)
    notes = notes_of(function)
    times = {line["line"]: line["self_s"] for line in function["lines"]}
    last = max([function["first_line"], *times, *notes])
    print(f"{printable(function['name'])} {printable(function['file'])}:{function['first_line']}")
    print(f"{100 * function['self_s'] / total if total else 0:.1f} % of the time, {function['tier']}")
    for number in range(function["first_line"], last + 1):
        part = f"{100 * times[number] / total:5.1f}" if number in times and total else "     "
        parts = tiers.get((function["file"], number), {})
        tier = GLYPHS[max(parts, key=parts.__getitem__)] if parts else " "
        source = text[number - 1] if number <= len(text) else ""
        print(f"{number:6} {part} {tier} | {printable(source)}".rstrip())
        for note in notes.get(number, []):
            print(" " * 15 + "^ " + printable(note))
    print()


def wanted(report: dict[str, Any], wish: str) -> list[dict[str, Any]]:
    """The functions with something to show that FILE or FILE:FUNCTION names, by file and line."""
    file, _, name = wish.rpartition(":")
    known = [function for function in report["functions"] if function["lines"] or function["roots"]]
    found = [function for function in known if is_wanted(function, wish, "")]
    found = found or [function for function in known if is_wanted(function, file, name)]
    return sorted(found, key=lambda function: (function["file"], function["first_line"]))


def text_of(path: str) -> list[str]:
    """A file's lines; none after a message when it cannot be read."""
    try:
        with open(name_on_disk(path), encoding="utf-8", errors="replace") as source:
            return source.read().split("\n")  # a form feed ends no line
    except (OSError, ValueError) as error:
        say(printable(f"{path}: {error.strerror if isinstance(error, OSError) else error}"))
        return []


def example(report: dict[str, Any]) -> str:
    """What of the report could be asked for: the hottest function with a file."""
    known = [function for function in report["functions"] if function["lines"] and not function["file"].startswith("<")]
    if not known:
        return ""
    hottest = max(known, key=lambda function: function["self_s"])
    return printable(f"; of {base_name(hottest['file'])}:{hottest['name']} it has most")


def print_source(path: str, wish: str) -> int:
    """Prints the functions of a file, or the one that `wish` names. The exit status."""
    try:
        report = load(path)
    except ReportError as error:
        return say(str(error))
    found = wanted(report, name_in_report(wish))
    if not found:
        return say(f"the report has nothing of {wish or 'that'}{example(report)}")
    texts = {file: text_of(file) for file in dict.fromkeys(function["file"] for function in found)}
    for function in found:
        print_lines(report, function, texts[function["file"]])
    print(LEGEND)
    return 0
