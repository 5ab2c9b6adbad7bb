"""Features: classes, instances, functions, globals and builtins that change under compiled code, and what looks them up."""

from __future__ import annotations

from feature import Feature, said, seen

CLASSES = Feature(
    definitions="""
class Thing:
    rank = 1

    def __init__(self, n):
        self.n = n

    def m(self, k):
        return (self.n + k) & 15


class Other(Thing):
    def m(self, k):
        return (self.n - k) & 7


def twice(self, k):
    return (self.n + k * 2) & 31


class Described:
    def __init__(self):
        self.x = 3

    y = 4


class Getter:
    def __get__(self, instance, owner):
        return 11 if instance is None else 12


class Setter(Getter):
    def __set__(self, instance, value):
        note("set", value)


OBJ, LATE, METHODS = Thing(5), Described(), [Thing.m, twice]
""",
    effects=(
        "Thing.m = METHODS[n & 1]",
        "OBJ.__class__ = (Thing, Other)[n & 1]",
        "OBJ.__dict__['m'] = abs if n & 1 else OBJ.__dict__.pop('m', None) or divmod\nif not n & 1: del OBJ.__dict__['m']",
        "Thing.rank = n & 7",
        "if n & 1: Other.rank = 9\nelif 'rank' in vars(Other): del Other.rank",
        "OBJ.rank = n & 3\nif n & 2: del OBJ.rank",
        "OBJ.n = (5, 5.5, True)[n % 3]\nOBJ.n = int(OBJ.n) + (n & 1)",
        "if n & 1: Thing.__getattribute__ = lambda self, name: object.__getattribute__(self, name)\n"
        "elif '__getattribute__' in vars(Thing): del Thing.__getattribute__",
        "Described.x = (Setter(), 7, Getter())[n % 3]\nif n % 4 == 1: del Described.x",
        "Described.y = property(lambda self: n & 7) if n & 1 else n & 3",
        "Getter.__get__ = (lambda self, instance, owner: 13) if n & 1 else (lambda self, instance, owner: 14)",
        "if n & 1: Described.__getattr__ = lambda self, name: 15\nelif hasattr(Described, '__getattr__'): del Described.__getattr__",
        "LATE.__dict__['y'] = n & 3\nif n & 2: LATE.__dict__.pop('y')",
    ),
    observers=tuple(
        seen(text)
        for text in (
            "{i} = fit({i} + OBJ.m({n}))",
            "{i} = fit({i} + OBJ.n)",
            "{i} = fit({i} + OBJ.rank)",
            "{b} = isinstance(OBJ, Other)",
            "{b} = type(OBJ) is Thing",
            "{i} = fit({i} + LATE.x)",
            "{i} = fit({i} + LATE.y)",
            "{i} = fit({i} + getattr(LATE, 'z', 16))",
            "LATE.x = {n} & 7",
            "OBJ.n = {n} & 3",
            "{d} = OBJ.m; {i} = fit({i} + {d}({n}))",
        )
    ),
)

FUNCTIONS = Feature(
    definitions="""
def helper(k, more=1):
    return (k + more) & 63


def counter():
    k = 0

    def bump(n):
        nonlocal k
        k = (k + n) & 255
        return k

    return bump


def other_code(k, more=1):
    return (k * 3 - more) & 127


CODES, HELPERS, bump = [helper.__code__, other_code.__code__], [other_code, abs, helper], counter()
chosen = helper
""",
    globals=("chosen",),
    effects=(
        "helper.__code__ = CODES[n & 1]",
        "helper.__defaults__ = (n & 7,)",
        "globals()['chosen'] = HELPERS[n % 3]",
        "bump.__closure__[0].cell_contents = n & 31",
        "if n & 1: globals()['round'] = lambda v: 3\nelse: globals().pop('round', None)",
        "if n & 1: globals()['abs'] = lambda v: v * v % 1000003\nelse: globals().pop('abs', None)",
    ),
    observers=tuple(
        seen(text)
        for text in (
            "{i} = fit({i} + helper({n}))",
            "{i} = fit({i} + helper({n}, 2))",
            "{i} = fit({i} + chosen({n}))",
            "{i} = fit({i} + bump({n} & 3))",
            "{i} = fit({i} + round({n}))",
            "{i} = fit({i} + abs({n}))",
            "chosen = HELPERS[{n} % 3]",
        )
    ),
    end="globals().pop('round', None); globals().pop('abs', None)",
)

PROXIES = Feature(
    definitions="""
class Kind:
    pass


class Lazy:
    def __init__(self, n):
        self.n = n

    @property
    def __class__(self):
        return KINDS[0]


class Odd(type):
    def __instancecheck__(cls, thing):
        act(3)
        return thing is LAZY


class Asked(metaclass=Odd):
    pass


KINDS = [Kind]
LAZY = Lazy(4)
""",
    effects=("KINDS[0] = (Kind, Lazy, int)[n % 3]", "LAZY.n = n & 3"),
    triggers=(said("{b} = isinstance(LAZY, Asked)"), said("{b} = isinstance({n}, Asked)")),
    observers=tuple(
        seen(text)
        for text in (
            "{b} = isinstance(LAZY, Kind)",
            "{b} = isinstance(LAZY, (str, int))",
            "{b} = isinstance(LAZY, Lazy)",
            "{i} = fit({i} + LAZY.n + isinstance(LAZY, Kind))",
        )
    ),
)

FEATURES = {"classes": CLASSES, "functions": FUNCTIONS, "proxies": PROXIES}
