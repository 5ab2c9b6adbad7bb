# Small functions that call a larger one, which looks at them now and then: their frames and their locals, how long what was seen
# lives, and what is left of a frame that somebody keeps.
import sys
import weakref

kept = []


class Thing:
    def __init__(self, name):
        self.name = name


def large(node, depth, seen, every):
    """Recursive, with operations that need a frame."""
    seen.append(node)
    total = len(seen) if hasattr(node, "name") else 0
    if depth:
        for step in range(2):
            total += small(node, depth - 1, seen, every)
    elif len(seen) % every == 1:
        look(seen)
    if sorted([3, 1, 2], key=lambda number: -number)[0] != 3:
        raise AssertionError
    return total


def small(node, depth, seen, every):
    number = depth * 1000 + 500
    half = number / 2
    other = smaller(node, number, half, seen, depth, every)
    return other


def smaller(node, number, half, seen, depth, every):
    pair = (number, half)
    text = node.name
    result = large(node, depth, seen, every) + len(text) + len(pair)
    return result


def look(seen):
    frame = sys._getframe(1)
    told = []
    while frame is not None and frame.f_code.co_name != "<module>" and len(told) < 7:
        names = frame.f_locals
        told.append((frame.f_code.co_name, frame.f_lineno, sorted(name for name in names if name not in ("seen", "node"))))
        if frame.f_code is smaller.__code__:
            told.append((names["number"], names["half"], names["pair"], names["node"] is frame.f_back.f_locals["node"]))
        frame = frame.f_back
    if told not in looked:
        looked.append(told)
    if len(kept) < 3:
        kept.append(sys._getframe(2))


def lifetimes(rounds):
    """What a caller's frame showed lives no longer than it should."""
    ended = 0
    for index in range(rounds):
        thing = Thing(f"n{index % 3}")
        watch = weakref.ref(thing)
        small(thing, 2, [], 3)
        del thing
        ended += watch() is None
    return ended


looked = []
print(sum(small(Thing("root"), 4, [], 9) for _ in range(400)))
for told in looked[:4]:
    print(told)
print(len(looked))
for frame in kept:
    print(frame.f_code.co_name, sorted(frame.f_locals)[:6], frame.f_locals.get("number"), frame.f_locals.get("depth"))
kept.clear()
kept.extend([None] * 3)
print(lifetimes(1500))
