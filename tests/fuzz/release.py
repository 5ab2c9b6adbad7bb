"""Features: objects whose end runs foreign code, in all the places where one is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feature import Feature, Trigger, fill, said, seen

if TYPE_CHECKING:
    from expressions import Scope
    from generate import Generator


def stored(place: str, made: str, then: str = "") -> Trigger:
    """A store to a place that the whole program shares. Where greenlets may switch in between, the new object has a name:
    whether the store itself holds it while the old one ends depends on whether CPython has specialised the instruction."""

    def write(g: Generator, scope: Scope, n: str) -> str:
        switches = any(feature.driver == "in_greenlets" for feature in g.features)
        return fill(g, scope, (f"{{d}} = {made}; {place} = {{d}}" if switches else f"{place} = {made}") + then, n)

    return write


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
    definitions=DYING,
    globals=("GONE",),
    end="CELL = TABLE = QUEUE = HOLD = SLOTS = GONE = None",
    triggers=(
        said("{d} = Dying({n})"),
        said("{d} = Dying({n}); {d} = {n}"),
        said("{d} = Dying({n}); del {d}"),
        *(
            stored(place, "Dying({n})")
            for place in ("CELL[0]", "CELL[{n} & 1]", "HOLD.a", "SLOTS.a", "TABLE['k']", "TABLE[{n} % 3]", "GONE")
        ),
        *(
            said(text)
            for text in (
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
    definitions=WEAK,
    globals=("NEAR",),
    end="WATCHED = REFS = NEAR = None",
    triggers=(
        stored("WATCHED[0]", "Plain({n})", "; NEAR = proxy(WATCHED[0])"),
        stored("WATCHED[1]", "Plain({n})", "; REFS[1] = ref(WATCHED[1], called)"),
        said("{d} = Plain({n}); REFS[0] = ref({d}, called)"),
        said("{d} = Plain({n}); {d}.r = ref({d}, called)"),
        said("{d} = ref(Plain({n}), called); {b} = {d}() is None"),
        said(
            "WATCHED[1], {d} = Plain({n}), proxy(WATCHED[1])\n"
            "try:\n    {i} = fit({i} + {d}.n)\nexcept ReferenceError:\n    note('gone', {n})"
        ),
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
