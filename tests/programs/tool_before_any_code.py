"""A monitoring tool that is there before anything is compiled sees local events of a callee that a compiled loop has taken in."""

import sys
import time

mon = sys.monitoring
TOOL = 3
seen = []
mon.use_tool_id(TOOL, "test")
mon.register_callback(TOOL, mon.events.PY_START, lambda *place: seen.append(place[1]))


def helper(x):
    if x % 2:
        return x
    return -x


def loop(count, at=None, action=None):
    total = 0
    for i in range(count):
        if i == at:
            action()
        total += helper(i)
    return total


for _ in range(30):
    loop(20000)
time.sleep(0.3)  # for the compiler
print(loop(20000), len(seen))
print(loop(9000, 6000, lambda: mon.set_local_events(TOOL, helper.__code__, mon.events.PY_START)), len(seen))
print(loop(9000), len(seen))
mon.set_local_events(TOOL, helper.__code__, 0)
mon.register_callback(TOOL, mon.events.PY_START, None)
mon.free_tool_id(TOOL)
print(loop(20000), len(seen))
