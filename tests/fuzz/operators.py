"""Features: foreign code behind operators, conversions and protocols; and what foreign code does to plain data."""

from __future__ import annotations

from feature import Feature, said, seen

PROTOCOLS = Feature(
    definitions="""
class Actor:
    def __init__(self, n):
        self.n = n

    def __add__(self, n):
        act(n)
        return n & 7

    __radd__ = __sub__ = __and__ = __add__

    def __iadd__(self, n):
        act(n)
        return self

    def __len__(self):
        act(1)
        return 2

    def __bool__(self):
        act(2)
        return True

    def __getitem__(self, n):
        act(n)
        return n & 3

    def __setitem__(self, n, value):
        act(n)

    def __contains__(self, n):
        act(n)
        return True

    def __call__(self, n):
        act(n)
        return n & 15

    def __iter__(self):
        act(3)
        return iter((1, 2))

    def __enter__(self):
        act(4)
        return 5

    def __exit__(self, *error):
        act(5)

    def __eq__(self, other):
        act(6)
        return False

    def __lt__(self, other):
        act(7)
        return True

    def __hash__(self):
        act(8)
        return 8

    def __index__(self):
        act(9)
        return 0

    def __float__(self):
        act(10)
        return 0.5

    @property
    def value(self):
        act(self.n)
        return 6

    def __getattr__(self, name):
        act(11)
        return 7


ACTOR = Actor(3)
""",
    triggers=tuple(
        said(text)
        for text in (
            "{i} = fit({i} + (ACTOR + {n}))",
            "{i} = fit({i} + ({n} + ACTOR))",
            "{i} = fit({i} + len(ACTOR))",
            "if ACTOR: {i} = fit({i} + 1)",
            "{i} = fit({i} + ACTOR[{n}])",
            "ACTOR[{n}] = {n}",
            "{b} = {n} in ACTOR",
            "{i} = fit({i} + ACTOR({n}))",
            "for {d} in ACTOR: {i} = fit({i} + {d})",
            "{i}, {d} = ACTOR",
            "with ACTOR as {d}: {i} = fit({i} + {d})",
            "{b} = ACTOR == {n}",
            "{b} = ACTOR < {n}",
            "{b} = {n} in {{ACTOR: 1}}",
            "{i} = fit({i} + LIST[ACTOR])",
            "{x} = {x} + float(ACTOR)",
            "{i} = fit({i} + ACTOR.value)",
            "{i} = fit({i} + ACTOR.missing)",
            "{b} = not ACTOR",
            "{i} = fit({i} + (ACTOR and {n}))",
            "{d} = ACTOR; {d} += {n}",
            "{i} = fit({i} + max(({n}, 2), key=ACTOR))",
        )
    ),
)

DATA = Feature(
    effects=(
        "SEEN = (SEEN + n) % 1000",
        "SEEN = float(SEEN) if n & 1 else int(SEEN)",
        "SEEN = SEEN + 0.5 if n % 7 == 3 else n & 255",
        "note('told', TOLD)",
        "note('told', TOLD)\nTOLD = n",
        "LIST.append(n)\nif len(LIST) > 20: del LIST[:15]",
        "LIST[n % len(LIST)] = n & 63",
        "LIST[:] = [n & 7] * (n % 5 + 1)",
        "DICT['k'] = n & 31",
        "if n & 1: DICT.pop('k', None)\nelse: DICT['k'] = n & 15",
        "DICT[n % 11] = n",
        "try:\n    SEEN = SEEN // (n % 3)\nexcept ZeroDivisionError as e:\n    note('zero', e.__traceback__.tb_lineno - act.__code__.co_firstlineno)",
        "total = 0\nfor j in range(n & 63): total = (total * 3 + j) & 4095\nnote('loop', total)",
        "note('depth', 1 if n < 3 else act(n % 3))",
    ),
    observers=tuple(
        seen(text)
        for text in (
            "{m} = {m} + SEEN",
            "{x} = {x} + SEEN",
            "{i} = fit({i} + int(SEEN))",
            "SEEN = {n} & 127",
            "SEEN += 1",
            "TOLD = {n}",
            "TOLD += 1",
            "{i} = fit({i} + LIST[{n} % len(LIST)])",
            "{i} = fit({i} + len(LIST))",
            "{i} = fit({i} + sum(LIST))",
            "for {d} in LIST: {i} = fit({i} + {d})",
            "LIST[0] = {n} & 15",
            "{i} = fit({i} + DICT.get('k', 5))",
            "DICT['k'] = {n} & 7",
            "{b} = 'k' in DICT",
        )
    ),
    triggers=(said("act({n})"), said("{i} = fit({i} + (act({n}) or 1))")),
    globals=("SEEN", "TOLD"),
)

FEATURES = {"protocols": PROTOCOLS, "data": DATA}
