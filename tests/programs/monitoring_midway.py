# sys.monitoring used by the program itself, global and local events, switched on in the middle of hot loops.
import sys

mon = sys.monitoring
E = mon.events
TOOL = 3
seen = []


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
        if i == (at or 0) + 4:
            mon.set_events(TOOL, 0)
            mon.set_local_events(TOOL, helper.__code__, 0)
            mon.set_local_events(TOOL, loop.__code__, 0)
    return total


def record(name):
    def callback(code, *details):
        if code.co_filename == __file__:
            seen.append((name, code.co_name, *(d if isinstance(d, int) else type(d).__name__ for d in details)))

    return callback


def drain():
    out, seen[:] = list(seen), []
    return out


print([mon.get_tool(i) for i in range(6)])
mon.use_tool_id(TOOL, "test")
for name in (
    "PY_START",
    "PY_RETURN",
    "LINE",
    "JUMP",
    "BRANCH",
    "CALL",
    "C_RETURN",
    "INSTRUCTION",
    "RAISE",
    "PY_UNWIND",
    "STOP_ITERATION",
):
    mon.register_callback(TOOL, getattr(E, name), record(name))
for events in (
    E.PY_START,
    E.PY_START | E.PY_RETURN,
    E.LINE,
    E.JUMP | E.BRANCH,
    E.CALL,
    E.INSTRUCTION,
    E.LINE | E.INSTRUCTION | E.JUMP,
):
    print(events, loop(9000, 6000, lambda: mon.set_events(TOOL, events)))
    for event in drain():
        print("   ", *event)
print("local")
for events in (E.PY_START, E.LINE, E.JUMP):
    loop(9000, 6000, lambda: mon.set_local_events(TOOL, helper.__code__, events))
    print(drain())
    loop(9000, 6000, lambda: mon.set_local_events(TOOL, loop.__code__, events))
    print(drain())
    print([mon.get_local_events(i, loop.__code__) for i in range(6)], [mon.get_events(i) for i in (0, 1, 2, 3, 4)])


def disabling(code, *details):
    seen.append(("once", code.co_name, *details))
    return mon.DISABLE


mon.register_callback(TOOL, E.LINE, disabling)
loop(9000, 6000, lambda: mon.set_local_events(TOOL, loop.__code__, E.LINE))
print(drain())
mon.set_local_events(TOOL, loop.__code__, E.JUMP)
counts = {}


def count_jumps(code, source, target):
    counts[source, target] = counts.get((source, target), 0) + 1


mon.register_callback(TOOL, E.JUMP, count_jumps)


def plain(count):
    total = 0
    i = 0
    while i < count:
        i += 1
        if i % 3 == 0:
            continue
        total += i
    return total


plain(9000)
mon.set_local_events(TOOL, plain.__code__, E.JUMP)
print(plain(9000), counts)
mon.restart_events()
mon.set_local_events(TOOL, plain.__code__, 0)


def failing(count):
    for i in range(count):
        if i == 6000:
            mon.set_events(TOOL, E.RAISE | E.PY_UNWIND)
        1 // (6002 - i)


try:
    failing(9000)
except ZeroDivisionError:
    pass
mon.set_events(TOOL, 0)
print(drain())
for tool in range(6):
    try:
        mon.use_tool_id(tool, "all") if tool != TOOL else None
        print(tool, mon.get_tool(tool))
    except ValueError as error:
        print(tool, error)
print(loop(9000, 1, int), plain(9000))
for tool in range(6):
    mon.free_tool_id(tool)
print(plain(9000), [mon.get_tool(tool) for tool in range(6)])
