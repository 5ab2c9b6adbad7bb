"""Runs a program under plain CPython and counts its back-edges and calls: what a report about it must add up to.

Usage: count_iterations.py OUTPUT PROGRAM [ARGUMENT…]

OUTPUT receives JSON: {"jumps": [[source line, target line, count], …], "calls": [[first line, count], …]}, for the
code of PROGRAM's own file only.
"""

from __future__ import annotations

import collections
import json
import runpy
import sys
import types

TOOL = 4


def line_at(code: types.CodeType, offset: int) -> int:
    """Returns the line of the instruction at a byte offset of `code`."""
    return next(line or 0 for start, end, line in code.co_lines() if start <= offset < end)


def main() -> None:
    """Counts while the program runs, then writes the file."""
    output, program = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    jumps: collections.Counter[tuple[types.CodeType, int, int]] = collections.Counter()
    calls: collections.Counter[int] = collections.Counter()

    def on_jump(code: types.CodeType, source: int, target: int) -> object:
        if code.co_filename != program:
            return sys.monitoring.DISABLE
        if target <= source:
            jumps[code, source, target] += 1
        return None

    def on_start(code: types.CodeType, offset: int) -> object:
        if code.co_filename != program:
            return sys.monitoring.DISABLE
        calls[code.co_firstlineno] += 1
        return None

    events = sys.monitoring.events
    sys.monitoring.use_tool_id(TOOL, "count_iterations")
    sys.monitoring.register_callback(TOOL, events.JUMP, on_jump)
    sys.monitoring.register_callback(TOOL, events.PY_START, on_start)
    sys.monitoring.set_events(TOOL, events.JUMP | events.PY_START)
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        sys.monitoring.set_events(TOOL, 0)
        rows = [[line_at(code, source), line_at(code, target), n] for (code, source, target), n in jumps.items()]
        with open(output, "w") as file:
            json.dump({"jumps": rows, "calls": sorted(calls.items())}, file)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2].rpartition("/")[0])
    main()
