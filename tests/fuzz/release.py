"""Features: objects whose end runs foreign code, in all the places where one is released."""

from __future__ import annotations

from feature import Feature, said, seen

DYING = """
class Dying:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        act(self.n)


class Holder:
    a = b = None


class Slots:
    __slots__ = ("a", "b")


class Carrier(Exception):
    pass


CELL, TABLE, QUEUE, HOLD, SLOTS = [None, None], {}, [None], Holder(), Slots()
SLOTS.a = GONE = None


def keeps(n):
    d = Dying(n)
    return n & 3


def drops(d, n):
    d = n
    return d & 7


def raises(n):
    try:
        raise Carrier(Dying(n))
    except Carrier as e:
        return n & 1


def outlives(n):
    d = Dying(n)

    def inner(k):
        nonlocal d
        d = Dying(k)
        return k & 3

    return inner(n + 1) + inner(n + 2)
"""

FINALISERS = Feature(
    off="globals that __del__ changes are not read again",
    definitions=DYING,
    globals=("GONE",),
    end="CELL = TABLE = QUEUE = HOLD = SLOTS = GONE = None",
    triggers=tuple(
        said(text)
        for text in (
            "{d} = Dying({n})",
            "{d} = Dying({n}); {d} = {n}",
            "{d} = Dying({n}); del {d}",
            "CELL[0] = Dying({n})",
            "CELL[{n} & 1] = Dying({n})",
            "HOLD.a = Dying({n})",
            "SLOTS.a = Dying({n})",
            "TABLE['k'] = Dying({n})",
            "TABLE[{n} % 3] = Dying({n})",
            "GONE = Dying({n})",
            "Dying({n})",
            "{i} = fit({i} + Dying({n}).n)",
            "{i}, {d} = {n}, Dying({n})",
            "{d}, {i} = Dying({n}), fit({i} + 1)",
            "QUEUE.append(Dying({n})); QUEUE.pop(0)",
            "QUEUE[:] = [Dying({n})]",
            "[Dying({n}), 1].clear()",
            "for {d} in (Dying({n}), None): pass",
            "{i} = fit({i} + len([Dying(j) for j in (1, {n})]))",
            "{i} = fit({i} + keeps({n}))",
            "{i} = fit({i} + drops(Dying({n}), {n}))",
            "{i} = fit({i} + raises({n}))",
            "{i} = fit({i} + outlives({n}))",
            "{d} = (Dying({n}), {x}); {x} = {d}[1]",
            "{d} = [Dying({n})] * 3",
        )
    ),
)

WEAK = """
from _weakref import proxy, ref


class Plain:
    def __init__(self, n):
        self.n = n


def called(r):
    note("called", r() is None)
    act(STATE[1] & 15)


WATCHED = [Plain(0), Plain(1)]
REFS = [ref(w, called) for w in WATCHED]
NEAR = proxy(WATCHED[0])
"""

WEAK_REFERENCES = Feature(
    off="globals that callbacks change are not read again",
    definitions=WEAK,
    globals=("NEAR",),
    end="WATCHED = REFS = NEAR = None",
    triggers=tuple(
        said(text)
        for text in (
            "WATCHED[0] = Plain({n}); NEAR = proxy(WATCHED[0])",
            "WATCHED[1] = Plain({n}); REFS[1] = ref(WATCHED[1], called)",
            "{d} = Plain({n}); REFS[0] = ref({d}, called)",
            "{d} = Plain({n}); {d}.r = ref({d}, called)",
            "{d} = ref(Plain({n}), called); {b} = {d}() is None",
            "WATCHED[1], {d} = Plain({n}), proxy(WATCHED[1])\ntry:\n    {i} = fit({i} + {d}.n)\nexcept ReferenceError:\n    note('gone', {n})",
        )
    ),
    observers=tuple(
        seen(text)
        for text in (
            "{b} = REFS[{n} & 1]() is None",
            "{i} = fit({i} + NEAR.n)",
            "NEAR.n = {n}",
            "{b} = isinstance(NEAR, Plain)",
            "{b} = NEAR.__class__ is Plain",
        )
    ),
)

CYCLES = Feature(
    definitions="""
class Ring:
    def __init__(self, n):
        self.n, self.me = n, self

    def __del__(self):
        act(self.n)


def ring(n, collected):
    Ring(n)
    if collected:
        gc.collect(0)
    return n & 3
""",
    triggers=(
        said("{i} = fit({i} + ring({n}, {n} % 59 == 0))"),
        said("{d} = Ring({n}); {d}.other = {d}; {d} = None"),
        said("if {n} % 211 == 5: gc.collect()"),
    ),
)

FEATURES = {"finalisers": FINALISERS, "weak references": WEAK_REFERENCES, "cycles": CYCLES}
