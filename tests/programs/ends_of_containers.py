# The end of containers that hold an object with a finaliser once, several times, or deep inside, alone or beside other holders.
import collections
import datetime
import decimal
import functools
import itertools
import operator
import re
import types
import weakref

log = []


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(self.name)


class Plain:
    def __init__(self, *values):
        self.first, self.rest = (values[0] if values else None), values


class Slots:
    __slots__ = ("a", "b", "__weakref__")

    def __init__(self, a, b):
        self.a, self.b = a, b


def cycle(x):
    made = [x]
    made.append(made)
    made.pop()
    return made


def twice(x):
    return (x, x)


def finished(x):
    made = (n for n in [x])
    list(made)
    return made


def begun(x):
    made = (n for n in [x, x])
    next(made)
    return made


def guarded(x):
    def run():
        try:
            yield x
        finally:
            log.append("finally")
    made = run()
    next(made)
    return made


class Steps:
    """An iterator that tells of its end."""

    def __init__(self, name):
        self.name, self.count = name, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.count += 1
        return self.count

    def __del__(self):
        log.append(self.name)


def found(steps, wanted):
    for step in steps:
        if step == wanted:
            return None
        log.append(step)
    return steps


def found_in_pair(key, numbers):
    for step, number in zip(itertools.cycle(key), numbers):
        if step == number:
            return step
    return None


def leaving(rounds):
    """A function returns amid a loop: its iterator ends there."""
    total = 0
    for number in range(rounds):
        found(Steps("end %d" % number), number % 5 + 1)
        log.append("returned")
        total += found_in_pair((1, 2, Steps("key")), [3, 4, 5, 1, 2, number % 3]) or 0
        log.append("and again")
        if len(log) > 40:
            del log[:-8]
    return total, log[-6:]


SHAPES = [
    lambda x: itertools.cycle([x]), lambda x: itertools.chain([x], (x,)), lambda x: itertools.islice([x, x], 1), lambda x: itertools.repeat(x),
    lambda x: itertools.product([x], [x, x]), lambda x: itertools.combinations([x, x, x], 2), lambda x: itertools.groupby([x, x]), lambda x: itertools.tee([x]),
    lambda x: itertools.accumulate([x]), lambda x: itertools.starmap(print, [(x,)]), lambda x: itertools.zip_longest([x], [1, 2], fillvalue=x),
    lambda x: collections.deque([x, x]), lambda x: iter(collections.deque([x])), lambda x: collections.defaultdict(list, k=x),
    lambda x: collections.Counter(a=1), lambda x: collections.OrderedDict(k=x), lambda x: collections.OrderedDict([((x, 1), 2)]), lambda x: collections.ChainMap({1: x}),
    lambda x: functools.partial(print, x, sep=x), lambda x: functools.cmp_to_key(print)(x), lambda x: operator.itemgetter(x, x), lambda x: operator.methodcaller("m", x),
    lambda x: types.SimpleNamespace(a=x, b=[x]), lambda x: re.match("a(b)", "ab"), lambda x: (re.match("a(b)", "ab").regs, x), lambda x: datetime.timedelta(1),
    lambda x: [datetime.date(2000, 1, 1), decimal.Decimal("1.5"), x], lambda x: iter(x.__class__, None), lambda x: super(Loud, x), lambda x: x.__init__,
    lambda x: x.name.__add__, finished, begun, guarded, lambda x: Steps(x.name),
    lambda x: (x,), lambda x: [x], twice, lambda x: [x] * 5, lambda x: {"k": x}, lambda x: {x.name: x, "again": x},
    lambda x: {x}, lambda x: frozenset([x]), lambda x: ((x, 1), [x]), lambda x: Plain(x, x), lambda x: Slots(x, (x,)),
    lambda x: iter([x]), lambda x: iter((x, x)), lambda x: {"k": x}.items(), lambda x: iter({"k": x}.values()), lambda x: {1: x}.keys(),
    lambda x: enumerate([x]), lambda x: zip([x], (x,)), lambda x: map(str, [x]), lambda x: reversed([x, x]), lambda x: slice(x, x),
    lambda x: (lambda: x), lambda x: x.__class__.__init__.__get__(x), cycle, lambda x: [[[[(x,)]]]], lambda x: [(n, x) for n in range(3)],
    lambda x: [(n, [n], {n: n}) for n in range(3)], lambda x: tuple([n] for n in range(80)), lambda x: [[x]] + [[] for _ in range(80)],
    lambda x: (x.name, 1.5, None, True, b"", 2**80), lambda x: memoryview(b"abc"), lambda x: range(3),
]


def alone(shape, rounds):
    """Nothing else holds what the container holds: it ends with it, at the next line at the latest."""
    for number in range(rounds):
        made = shape(Loud(number))
        log.append("made")
        made = None
        log.append("gone")
    return log[-4:]


def held(shape, rounds):
    """Something else holds it as well."""
    for number in range(rounds):
        loud = Loud(number)
        made = shape(loud)
        made = None
        log.append("gone")
        loud = None
        log.append("all gone")
    return log[-4:]


def displaced(shape, rounds):
    """The container ends as another takes its place, in a list, in a dict and in an attribute."""
    places, table, owner = [None], {}, Plain()
    for number in range(rounds):
        places[0] = shape(Loud(number))
        table["k"] = places[0]
        owner.first = table["k"]
        places[0] = None
        table["k"] = number
        log.append("still here")
        owner.first = number
        log.append("gone")
    return log[-4:]


def together(rounds):
    """Two references to one object go at once: the object ends with the second."""
    pair = None
    for number in range(rounds):
        loud = Loud(number)
        pair = (loud, [loud, (loud, loud)])
        a, b = pair
        loud = None
        pair = a = None
        log.append("one holder")
        b = None
        log.append("none")
    return log[-4:]


def watched(rounds):
    """Containers that somebody watches by a weak reference with a callback."""
    for number in range(rounds):
        made = {number} if number % 2 else Slots(number, [number])
        reference = weakref.ref(made, lambda _: log.append("watched"))
        outer = (made, [made])
        made = None
        log.append("inside")
        outer = None
        log.append("outside")
        assert reference() is None
    return log[-4:]


for shape in SHAPES:
    results = []
    for drive in (alone, held, displaced):
        log.clear()
        results.append((drive(shape, 300), len(log)))
    print(results)
for drive in (together, watched):
    log.clear()
    print(drive(1000), len(log))
print(leaving(1200))
