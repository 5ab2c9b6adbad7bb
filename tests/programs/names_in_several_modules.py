"""Namespace variables that the running loop has read or written, and that somebody else changes: another module's too."""

import sys
import types
import weakref

SOURCE = """
VALUE = None
COUNT = 0


def put(value):
    global VALUE, COUNT
    VALUE = value
    COUNT += 1
    return COUNT
"""

other = types.ModuleType("other")
exec(SOURCE, other.__dict__)
ENDED = []
OWN = None


class Told:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        ENDED.append(self.number)


def meddle(k):
    """Changes the other module's variables, mostly not this one's."""
    if k % 5 == 3:
        other.COUNT = 1000 * k
    if k % 7 == 2:
        other.VALUE = None
        return len(ENDED)
    return len(ENDED) if k % 3 else 0


def stores_in_both(rounds):
    global OWN
    seen = []
    for k in range(rounds):
        OWN = Told(k)
        seen.append(other.put(Told(-k)))
        seen.append(eval("meddle(k)"))
    return seen


def ends_at_once(rounds):
    """What a variable held ends when a callee sets that, not when the loop goes on."""
    global OWN
    wrong = []
    for k in range(rounds):
        OWN = Told(k)
        ended = len(ENDED)
        if eval("clear()") != ended + 1:
            wrong.append(k)
    return wrong


def clear():
    global OWN
    OWN = None
    return len(ENDED)


def weakly(rounds):
    """The same seen by weak references, where the loop reads the variable as well."""
    global OWN
    alive = 0
    for k in range(rounds):
        OWN = Told(k)
        total = OWN.number + k
        reference = weakref.ref(OWN)
        eval("clear() if k % 2 else None", {"clear": clear, "k": k})
        alive += (reference() is not None) + (total - 2 * k)
    return alive


def raised(rounds):
    """An exit at a call after the store gives up nothing that the dict holds, and keeps nothing."""
    global OWN
    caught = 0
    for k in range(rounds):
        try:
            OWN = Told(k)
            fails(k)
            OWN = None
        except ValueError:
            caught += 1
    return caught


def fails(k):
    if k % 20 == 0:
        raise ValueError


def read_and_cleared(rounds):
    global OWN
    counts = []
    for k in range(rounds):
        OWN = Told(k)
        local = OWN
        before = len(ENDED)
        clear()
        between = len(ENDED)
        local = None
        counts.append((between - before, len(ENDED) - between))
    return set(counts)


def passes_on(k):
    global OWN
    OWN = Told(k)
    return checks(k, OWN)


def checks(k, held):
    if k % 10 == 9:
        raise ValueError(k)
    return k


def stores_and_raises(rounds):
    global OWN
    caught = 0
    for k in range(rounds):
        try:
            passes_on(k)
        except ValueError:
            caught += 1
    OWN = None
    return caught, len(ENDED)


def sets_own(n):
    global OWN
    OWN = n
    return len(ENDED)


def outlives(rounds):
    """The value is a number by turns."""
    global OWN
    seen = set()
    for k in range(rounds):
        OWN = Told(k)
        seen.add((sets_own(0) - k, len(ENDED) - k))
    return sorted(seen)


def takes_held(held, k):
    global OWN
    OWN = Told(k + 1000)
    held = None
    return len(ENDED)


def passes_held(rounds):
    global OWN
    total = 0
    for k in range(rounds):
        OWN = Told(k)
        total += takes_held(OWN, k)
    return total


class Meddling:
    """Sets the variable while it ends: what a store put there before still lies on the stack."""

    def __init__(self, number):
        self.number = number

    def __del__(self):
        global OWN
        ENDED.append(("meddling", self.number))
        if self.number % 3:
            OWN = Told(-self.number)
            ENDED.append(("set", self.number))


def meddled(rounds):
    global OWN
    for k in range(rounds):
        OWN = Meddling(k)
        OWN = Told(k)
        if k % 7 == 0:
            OWN = None
    return ENDED[-9:]


def joined(rounds):
    """A number on one path and an object on the other."""
    global OWN
    kinds = []
    for k in range(rounds):
        if k % 3:
            OWN = k * 1.5
        else:
            OWN = Told(k)
        eval("clear() if k % 4 == 0 else None", {"clear": clear, "k": k})
        kinds.append((type(OWN).__name__, len(ENDED)))
    return kinds


for size in (5, 60, 300, 2000):
    ENDED.clear()
    print(size, stores_in_both(size)[-12:], other.COUNT, len(ENDED), ENDED[-8:])
    ENDED.clear()
    print(size, ends_at_once(size))
    print(size, weakly(size))
    ENDED.clear()
    OWN = None
    print(size, raised(size), len(ENDED), read_and_cleared(size), len(ENDED))
    for f in (stores_and_raises, outlives, passes_held, meddled):
        OWN = None
        ENDED.clear()
        print(size, f.__name__, f(size), len(ENDED))
    ENDED.clear()
    OWN = None
    print(size, joined(size)[-8:], ENDED[-5:])
    OWN = other.VALUE = None

try:
    import greenlet
except ImportError:
    greenlet = None


def current():
    return TASKS.index(greenlet.getcurrent()) if greenlet.getcurrent() in TASKS else -1


class Switching:
    def __init__(self, number):
        self.number = number
        self.task = current()

    def __del__(self):
        print("end of", self.task, self.number, "in", current())
        if greenlet.getcurrent().parent is not None and not OVER:
            greenlet.getcurrent().parent.switch(self.number)


def scene():
    global OWN
    for k in range(5):
        local = Switching(k)
        OWN = local


OVER = False
TASKS = []


def in_turns(count):
    global OVER
    TASKS.extend(greenlet.greenlet(scene) for _ in range(count))
    for turn in range(8):
        for name, task in enumerate(TASKS):
            if not task.dead:
                print(turn, name, task.switch(*((turn,) if turn else ())))
    OVER = True


if greenlet is not None:
    in_turns(12)
OWN = None
sys.stdout.flush()
