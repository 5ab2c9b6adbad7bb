"""A tool that is there for one call in the middle of what is hot, again and again, as Hypothesis has it for each example."""

import sys

monitoring = sys.monitoring
TOOL = 3


def leaf(i):
    return i * i % 7


def work(n):
    s = 0
    for i in range(n):
        s += leaf(i)
    return s


def watched(n):
    """What a tool sees of work(n), and its result."""
    seen, lines = [], set()
    monitoring.use_tool_id(TOOL, "tests")
    monitoring.register_callback(TOOL, monitoring.events.PY_START, lambda code, offset: seen.append(code.co_name))
    monitoring.register_callback(TOOL, monitoring.events.LINE, lambda code, line: lines.add((code.co_name, line)))
    monitoring.set_events(TOOL, monitoring.events.PY_START | monitoring.events.LINE)
    try:
        result = work(n)
    finally:
        monitoring.set_events(TOOL, 0)
        for event in (monitoring.events.PY_START, monitoring.events.LINE):
            monitoring.register_callback(TOOL, event, None)
        monitoring.free_tool_id(TOOL)
    return result, seen.count("work"), seen.count("leaf"), sorted(lines)


total = 0
for k in range(30):
    for _ in range(5):
        total += work(1500)
    print(total, watched(k))
