"""`kiln -m kiln report FILE.json --export OUT`: the same data for other tools; the end of OUT's name chooses the form."""

import json
from collections.abc import Callable
from typing import Any

from kiln import pprof
from kiln.report import write_private
from kiln.report_file import Frame, ReportError, Stack, frames_of, load, say, stacks_of

PIDS = {"samples": 1, "stacks": 2}


def command_of(report: dict[str, Any]) -> str:
    """What the report is about: programs, three by name, files before -c and -m, and in how many processes they ran."""
    commands = list(dict.fromkeys(process["command"] for process in report["processes"]))
    commands.sort(key=lambda command: command.startswith("-"))
    rest = f" and {len(commands) - 3} more" if len(commands) > 3 else ""
    count = len(report["processes"])
    return ", ".join(commands[:3]) + rest + (f" · {count} processes" if count > 1 else "") or "kiln"


def label(frame: Frame) -> str:
    """A frame's name for tools that show nothing but names."""
    place = f" ({frame.file.rpartition('/')[2]}:{frame.first_line})" if frame.file else ""
    return frame.name + place


def to_speedscope(report: dict[str, Any]) -> bytes:
    """speedscope's file format: https://www.speedscope.app/file-format-schema.json. One frame for each function and tier."""
    indexes: dict[tuple[str, str, int, str], int] = {}
    samples, weights = [], []
    for stack in stacks_of(report):
        samples.append(
            [indexes.setdefault((f.name, f.file, f.first_line, f.tier), len(indexes)) for f in stack.frames]
        )
        weights.append(stack.seconds)
    frames = []
    for name, file, line, tier in indexes:
        frame = {"name": f"{name} [{tier}]"}
        frames.append({**frame, "file": file, "line": line} if file else frame)
    profile = {
        "type": "sampled",
        "name": command_of(report),
        "unit": "seconds",
        "startValue": 0,
        "endValue": sum(weights),
        "samples": samples,
        "weights": weights,
    }
    document = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": command_of(report),
        "exporter": "kiln",
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": [profile],
    }
    return json.dumps(document).encode()


def trace_names(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What the rows of a trace are called."""
    names = {
        (PIDS["samples"], 0): command_of(report),
        (PIDS["samples"], 1): "compilations",
        (PIDS["samples"], 2): "launches of kernels",
        (PIDS["stacks"], 0): "all stacks, merged (not in the order of time)",
    }
    events = []
    for (pid, tid), name in names.items():
        kind = "process_name" if tid == 0 else "thread_name"
        events.append({"ph": "M", "ts": 0, "pid": pid, "tid": tid, "name": kind, "args": {"name": name}})
    return events


def trace_of_stacks(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The tree of stacks as nested slices, as wide as their time."""
    nodes = report.get("stacks", {}).get("nodes", [])
    children: dict[int, list[int]] = {}
    width = [node[3] for node in nodes]
    for index in reversed(range(len(nodes))):
        children.setdefault(nodes[index][0], []).append(index)
        if nodes[index][0] >= 0:
            width[nodes[index][0]] += width[index]
    frames = frames_of(report)
    events = []
    starts: dict[int, float] = {}
    todo: list[int] = []

    def place(indexes: list[int], at: float) -> None:
        for index in indexes:
            starts[index] = at
            at += width[index]
            todo.append(index)

    place(children.get(-1, []), 0)
    while todo:
        index = todo.pop()
        frame = frames[nodes[index][1]]
        events.append(
            {
                "ph": "X",
                "ts": starts[index] * 1e6,
                "dur": width[index] * 1e6,
                "pid": PIDS["stacks"],
                "tid": 0,
                "name": frame.name,
                "cat": frame.tier,
                "args": {"file": frame.file, "line": frame.line, "tier": frame.tier},
            }
        )
        place(children.get(index, []), starts[index])
    return events


def to_trace(report: dict[str, Any]) -> bytes:
    """Chrome's trace event format, which Perfetto opens: samples by tier as counters, compilations and launches as slices."""
    line = report.get("timeline", {})
    events = trace_names(report)
    step = line.get("step_s", 0)
    for index, parts in enumerate(line.get("steps", [])):
        values = {tier: round(100 * seconds / step, 3) for tier, seconds in zip(line["tiers"], parts)}
        events.append(
            {"ph": "C", "ts": index * step * 1e6, "pid": PIDS["samples"], "tid": 0, "name": "% by tier", "args": values}
        )
    for tid, lane in enumerate(("compilations", "launches"), 1):
        for event in line.get(lane, {}).get("events", []):
            events.append(
                {
                    "ph": "X",
                    "ts": event["start_s"] * 1e6,
                    "dur": event["seconds"] * 1e6,
                    "pid": PIDS["samples"],
                    "tid": tid,
                    "name": event["name"],
                    "cat": event["tier"],
                    "args": {"tier": event["tier"]},
                }
            )
    events += trace_of_stacks(report)
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"exporter": "kiln"}}).encode()


def folded_name(frame: Frame) -> str:
    """A frame in a line of collapsed stacks. `_[j]` marks compiled code, as flamegraph.pl's colours have it."""
    text = "".join(" " if character in ";\n\r" else character for character in label(frame))
    return text + ("_[j]" if frame.tier in ("quick", "thorough") else "")


def to_folded(report: dict[str, Any]) -> bytes:
    """Collapsed stacks: frames joined by semicolons, outermost first, a space, and the number of samples."""
    counts: dict[str, int] = {}
    for stack in stacks_of(report):
        key = ";".join(map(folded_name, stack.frames))
        counts[key] = counts.get(key, 0) + stack.samples
    return "".join(f"{key} {samples}\n" for key, samples in counts.items()).encode("utf-8", "replace")


def to_pprof(report: dict[str, Any]) -> bytes:
    """pprof's profile.proto, compressed."""
    stacks: list[Stack] = list(stacks_of(report))
    return pprof.encode(stacks, report["interval_ms"], sum(stack.seconds for stack in stacks))


FORMS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".speedscope.json": to_speedscope,
    ".trace.json": to_trace,
    ".folded": to_folded,
    ".pb.gz": to_pprof,
}


def write(path: str, output: str) -> int:
    """Writes the report in `path` to `output`. The exit status."""
    form = next((form for suffix, form in FORMS.items() if output.endswith(suffix)), None)
    if form is None:
        return say(f"cannot tell the form of {output}: expected a name that ends in one of {' '.join(FORMS)}")
    try:
        return write_private(output, form(load(path)))
    except ReportError as error:
        return say(str(error))
