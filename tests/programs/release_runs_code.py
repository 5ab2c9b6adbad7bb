# What runs when an object ends, at each kind of instruction that may end one: it sees names, frames and locals as they are, and what it
# changes (globals, methods, classes, code, containers) is what the loop goes on with.
import collections
import functools
import sys
import weakref

N = 4000
AT = (2500, 2501, 3100)
level = 1
clock = 0
log = []


class Ending:
    """Looks around and changes the world when it ends."""

    def __init__(self, act):
        self.act = act

    def __del__(self):
        self.act()


def look():
    frame = sys._getframe(1)
    while frame.f_code.co_name in ("raise_level", "__del__", "<lambda>"):
        frame = frame.f_back
    log.append((clock, frame.f_code.co_name, frame.f_locals.get("i"), frame.f_locals.get("total")))


def raise_level():
    global level
    level += 10
    look()


def make(i, act=raise_level):
    return Ending(act) if i in AT else [i]


def popped(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        make(i)
        total += level
    return total


def stored_local(count):
    global clock
    total = 0
    x = None
    for i in range(count):
        clock = i
        x = make(i)
        total += level
    return total


def deleted_local(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        x = make(i)
        del x
        total += level
    return total


def list_item(count):
    global clock
    total = 0
    items = [make(i) for i in range(count)]
    for i in range(count):
        clock = i
        items[i] = i * 0.5 if i % 2 else None
        total += level
    return total


class Box:
    pass


class Slotted:
    __slots__ = ("held",)


def attribute(count, cls=Box):
    global clock
    total = 0
    box = cls()
    for i in range(count):
        clock = i
        box.held = make(i)
        total += level
        box.held = i * 0.5
        total += level
    return total


def cell(count):
    global clock
    total = 0
    held = None

    def read():
        return held

    for i in range(count):
        clock = i
        held = make(i)
        total += level
    return total, type(read()).__name__


def global_name(count):
    global clock, held
    total = 0
    for i in range(count):
        clock = i
        held = make(i)
        total += level
    held = None
    return total


def inlined_local(i):
    x = make(i)
    return i


def returned(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        total += inlined_local(i) % 2 + level
    return total


def passed_on(x):
    return 1


def argument(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        total += passed_on(make(i)) + level
    return total


def taken_from(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        total += (i, make(i))[0] % 2 + [make(i), 3][1] + level
        a, b = [make(i), i]
        total += level
        a = None
        total += level
    return total


def tested(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        if [make(i)]:
            total += level
        if make(i) is not None:
            total += level
        if not [make(i)]:
            total -= 1
        total += 1 if make(i) else 2
    return total


def iterated(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        for x in [1, make(i)]:
            total += level
        x = None
        for a, b in zip((make(i), 1), (2, make(i))):
            total += level
        a = b = None
        total += level
    return total


def nested(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        x = {"a": [(make(i), (i,))], "b": {make(i)} if i in AT else None}
        total += level
        x = collections.deque([make(i)])
        total += level
        x = functools.partial(passed_on, make(i))
        total += level
        x = [shared := (make(i),), shared, [shared]]
        shared = None
        total += level
        x = None
        total += level
    return total


def weak(count):
    global clock
    total = 0
    references = []
    for i in range(count):
        clock = i
        x = Box()
        if i in AT:
            references.append(weakref.ref(x, lambda _: raise_level()))
        total += level
    return total, [r() is not None for r in references]


def generator_closed(count):
    global clock
    total = 0

    def numbers():
        try:
            yield 1
            yield 2
        finally:
            if clock in AT:
                raise_level()

    for i in range(count):
        clock = i
        for x in numbers():
            break
        total += level
    return total


def chain(length, i):
    node = make(i)
    for _ in range(length):
        box = Box()
        box.next = node
        node = box
    return node


def deep(count):
    global clock
    total = 0
    for i in range(count):
        clock = i
        x = chain(3 if i % 2 else 60, i)
        total += level
        x = None
        total += level
    return total


for function in (popped, stored_local, deleted_local, list_item, attribute, cell, global_name, returned, argument, taken_from, tested,
                 iterated, nested, weak, generator_closed, deep):
    level = 1
    print(function.__name__, function(N // 4 if function in (nested, deep, iterated) else N), level, log)
    AT, saved = (N // 8, N // 8 + 1, N // 5), AT
    log.clear()
    level = 1
    print(function.__name__, function(N // 4), level, log)
    AT = saved
    log.clear()
level = 1
print("slots", attribute(N, Slotted), log)
log.clear()


# ---- what the end of an object changes

class Counter:
    def step(self):
        return 1


class Faster(Counter):
    def step(self):
        return 100


def step_one():
    return 1


def step_hundred():
    return 100


def method_changed(count):
    def change():
        Counter.step = lambda self: 50

    counter = Counter()
    total = 0
    for i in range(count):
        make(i, change)
        total += counter.step()
    return total


def class_changed(count):
    counter = Counter()

    def change():
        counter.__class__ = Faster

    total = 0
    for i in range(count):
        make(i, change)
        total += counter.step()
    return total


def code_changed(count):
    def change():
        step_one.__code__ = step_hundred.__code__

    total = 0
    for i in range(count):
        make(i, change)
        total += step_one()
    return total


def list_changed(count):
    items = [1, 2, 3, 4]

    def change():
        items[:] = [5, 6]

    total = 0
    for i in range(count):
        for x in items:
            if x == 2:
                make(i, change)
            total += x
        total += len(items)
    return total


def raises(count):
    def fail():
        raise ValueError("from the end")

    total = 0
    for i in range(count):
        make(i, fail)
        total += 1
    return total


def built(count):
    # What a container takes does not end.
    total = 0
    for i in range(count):
        x = [Ending(look), Ending(look)]
        y = {"a": Ending(look), "b": x}
        total += len(x) + len(y)
        x[0].act = x[1].act = y["a"].act = len_of_nothing
    return total


def len_of_nothing():
    return 0


for function in (method_changed, class_changed, code_changed, list_changed):
    print(function.__name__, function(N))
unraisable = []
sys.unraisablehook = lambda report: unraisable.append(str(report.exc_value))
print(raises(N), unraisable)
print(built(N), log)

clock = 0
items = [Ending(raise_level) if i in AT else i for i in range(N)]
level = 1
total = 0
for i in range(N):
    clock = i
    items[i] = None
    total += level
print("module", total, log)


def left_in_global(rounds):
    global held
    total = 0
    for i in range(rounds):
        total += i
        for j in range(3):
            if j == 1:
                held = Box()
    return total


clock = [left_in_global(6) for _ in range(N)][0]
print(clock, sys.getrefcount(held))
