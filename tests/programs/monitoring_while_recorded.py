"""A tool of the program's own whose events come on, for some rounds, at any round of a loop that has just become hot."""

import sys
import types

MONITORING = sys.monitoring
EVENTS = MONITORING.events
TOOL = 3
seen = []


def helper(x):
    if x % 2:
        return x
    return -x


def loop(count, at, events):
    total = 0
    for i in range(count):
        if i == at:
            MONITORING.set_events(TOOL, events)
        total += helper(i)
        if i == at + 4:
            MONITORING.set_events(TOOL, 0)
    return total


def fresh(function):
    """A copy that nobody has counted yet."""
    return types.FunctionType(function.__code__.replace(), globals(), function.__name__)


def note(name):
    def callback(code, *details):
        if code.co_filename == __file__ and code.co_name in ("loop", "helper"):
            seen.append((name, code.co_name, *(detail for detail in details if isinstance(detail, int))))

    return callback


MONITORING.use_tool_id(TOOL, "test")
for name in ("PY_START", "PY_RETURN", "LINE", "JUMP", "BRANCH", "INSTRUCTION"):
    MONITORING.register_callback(TOOL, getattr(EVENTS, name), note(name))
plain_helper = helper
for events in (EVENTS.LINE | EVENTS.INSTRUCTION | EVENTS.JUMP, EVENTS.INSTRUCTION, EVENTS.LINE, EVENTS.PY_START | EVENTS.BRANCH):
    for at in (0, 2, 3, 5, 500, *range(999, 1070, 3), 5000):
        helper = fresh(plain_helper)
        total = fresh(loop)(at + 10, at, events)
        counts = {}
        for name, function, *_ in seen:
            counts[name, function] = counts.get((name, function), 0) + 1
        print(events, at, total, len(seen), sorted(counts.items()))
        seen.clear()
