"""Frames that somebody keeps, of functions that go on and return: they show how the function ended."""

import sys

kept = []


def keep(n):
    """Keeps the frames of all callers, now and then."""
    if n % 500 == 499:
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_name != "<module>":
            kept.append(frame)
            frame = frame.f_back


def entered_from_c(n, depth):
    y = n + depth
    items = [y, str(y)]
    if depth == 0:
        keep(n)
        below = 0
    else:
        (below,) = map(entered_from_c, (n,), (depth - 1,))
    doubled = y * 2
    items.append(doubled)
    return below + doubled + len(items)


def recursive(n, depth):
    y = n + depth
    below = recursive(n, depth - 1) if depth else len(list(map(keep, [n])))
    doubled = [y * 2]
    return below + doubled[0]


def looks_at_itself(n, depth):
    frame = sys._getframe()
    total = 0
    for step in range(3):
        total += abs(-step) + len(str(step))
    if n % 500 == 499:
        kept.append(frame)
    later = total + depth
    return later


def only_lent(n, depth):
    """Whoever looks lets go of the frame."""
    names = len(sys._getframe().f_locals)
    later = names + n + depth
    return later


def shown(frame):
    values = {name: value if not hasattr(value, "f_locals") else "frame" for name, value in frame.f_locals.items()}
    return frame.f_code.co_name, sorted(values.items()), frame.f_lineno - frame.f_code.co_firstlineno


for function, depths in (entered_from_c, 4), (looks_at_itself, 1), (only_lent, 1):
    print(function.__name__, sum(function(n, depths) for n in range(2500)))
    for frame in kept[:12] + kept[-12:]:
        if frame.f_code.co_name != "<genexpr>":
            print("   ", *shown(frame))
    print(len(kept))
    kept.clear()
# Frames of inlined calls show what the callee saw: here only that there are as many, of the right functions.
print(sum(recursive(n, 4) for n in range(2500)))
print([frame.f_code.co_name for frame in kept[:14]], [frame.f_locals.get("y") for frame in kept[:14]])
