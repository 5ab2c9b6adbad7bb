"""Features: objects that must stay the same objects while nobody computes."""

from __future__ import annotations

from feature import Feature, seen

IDENTITY = Feature(
    definitions="""
INF, NAN, BIG, BASE = float("inf"), float("nan"), 10 ** 25, 2 ** 40 + 1
FLOATS, BIGS, PAIRS = [0.5, INF, 1e300, NAN, 2.5], [BIG, BASE, -BIG], {"f": 7.25, "i": BASE}


class Boxes:
    def __init__(self):
        self.f, self.i = 9.75, BASE


BOXES = Boxes()


def same(a, b):
    return a is b


def passed(a, n=0):
    return a


def first(*values):
    return values[0]
""",
    observers=tuple(
        seen(text)
        for text in (
            "{x} = INF",
            "{b} = {x} is INF",
            "if {x} is INF: {i} = fit({i} + 1)",
            "if {x} is not INF: {x} = INF",
            "{x} = FLOATS[{n} % 5]; {b} = {x} is FLOATS[{n} % 5]",
            "{d} = BIGS[{n} % 3]; {b} = {d} is BIGS[{n} % 3]",
            "{x} = PAIRS['f']; {b} = {x} is PAIRS['f']",
            "{d} = PAIRS['i']; {b} = {d} is PAIRS['i'] and {d} is BASE",
            "{x} = BOXES.f; {b} = BOXES.f is {x}",
            "BOXES.f = {x}; {b} = BOXES.f is {x}",
            "BOXES.i = {d} = {n} + BASE; {b} = BOXES.i is {d}",
            "FLOATS[4] = {x}; {b} = FLOATS[4] is {x}",
            "{d} = [{x}, {x}]; {b} = {d}[0] is {d}[1]",
            "{x} = {x} + 1.0; {d} = ({x}, {x}); {b} = {d}[0] is {d}[1]",
            "{x} = {x} * 0.5; {d} = {x}; {b} = {d} is {x}",
            "{d} = {x}; {x} = {x} + 1.0; {b} = {d} is {x}",
            "{b} = {x} in [NAN, {x}]",
            "{x} = NAN; {b} = {x} in FLOATS",
            "{b} = same({x}, {x})",
            "{b} = same({x}, INF)",
            "{d} = passed({x}); {b} = {d} is {x}",
            "{d} = passed({x}, 1); {b} = same({d}, {x})",
            "{d} = first({x}, 1); {b} = {d} is {x}",
            "{d} = max({x}, -INF); {b} = {d} is {x}",
            "{d} = {x} if {n} & 1 else INF; {b} = {d} is INF",
            "{b} = id({x}) == id({x})",
            "{b} = (lambda: {x})() is {x}",
            "{d} = {{1: {x}}}; {b} = {d}[1] is {x}",
            "{d} = [v for v in ({x},)]; {b} = {d}[0] is {x}",
            "{y} = {x}; {b} = {y} is {x}",
            "{b} = {x} is {y}",
            "note('is', {x} is FLOATS[4])",
            "note('is', {x} is BOXES.f)",
        )
    ),
)

FEATURES = {"identity": IDENTITY}
