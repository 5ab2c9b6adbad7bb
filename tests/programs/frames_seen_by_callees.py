# Callees of hot loops look at their callers: f_back, f_lineno, f_locals, f_lasti, inspect.stack, locals().
import inspect
import sys


def caller_state():
    frame = sys._getframe(1)
    return frame.f_lineno, sorted(frame.f_locals.items(), key=str)


def chain():
    frame = sys._getframe(1)
    names = []
    while frame is not None:
        names.append((frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    return names


def small(x):
    y = x + 1
    if x % 2500 == 7:
        print("small", caller_state(), chain())
    return y


def looped(count):
    total = 0
    half = 0.0
    pair = (0, "a")
    for i in range(count):
        total += small(i)
        half += 0.5
        pair = (i, pair[1])
        if i % 2500 == 8:
            print("looped", caller_state_of_me(), sorted(locals().items(), key=str))
    return total


def caller_state_of_me():
    frame = sys._getframe().f_back
    return (
        frame.f_code.co_name,
        frame.f_lineno - frame.f_code.co_firstlineno,
        frame.f_locals["i"],
        frame.f_locals["total"],
    )


def with_stack(count):
    for i in range(count):
        j = i * 2
        if i % 3000 == 2999:
            for record in inspect.stack()[:3]:
                print(
                    "stack",
                    record.function,
                    record.lineno,
                    record.code_context[0].strip(),
                    record.frame.f_locals.get("j"),
                )


def kept_frame(count):
    kept = None
    for i in range(count):
        square = i * i
        if i == count // 2:
            kept = sys._getframe()
            early = kept.f_locals["square"]
    return early, kept.f_lineno, kept


def recursive(n):
    if n == 0:
        frame = sys._getframe()
        depths = []
        while frame.f_code is recursive.__code__:
            depths.append(frame.f_locals["n"])
            frame = frame.f_back
        return depths
    return recursive(n - 1)


def writes_are_not_seen(count):
    x = 1
    total = 0
    for i in range(count):
        locals()["x"] = 100
        sys._getframe().f_locals["x"] = 200
        total += x
    return total


def code_offsets(count):
    seen = set()
    for i in range(count):
        seen.add(offset())
        seen.add(offset() + (i % 2,)) if i % 3 else None
    return sorted(seen)


# The place of the call in the source. (f_lasti itself tells whether the interpreter or C made the call.)
def offset():
    frame = sys._getframe(1)
    return list(frame.f_code.co_positions())[frame.f_lasti // 2]


print(looped(6000))
with_stack(6000)
early, line, frame = kept_frame(6000)
print(early, line, sorted((k, v) for k, v in frame.f_locals.items() if k not in ("kept",)))
print(all(recursive(30) == list(range(31)) for _ in range(400)))
print(writes_are_not_seen(6000), code_offsets(6000))
module_total = 0
for k in range(6000):
    module_total += k
    if k % 2500 == 1:
        print(
            "module",
            sys._getframe().f_lineno,
            caller_state()[0],
            sys._getframe().f_locals is globals(),
            globals()["module_total"],
        )
