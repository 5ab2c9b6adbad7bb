"""Features: calls in every form of several callables at one place; and operations on instances of several classes at one place."""

from __future__ import annotations

from feature import Feature, said, seen

CALLS = Feature(
    definitions="""
class Plain:
    def __init__(self, a=1, *, b=2):
        self.a, self.b = a, b

    def __call__(self, a=3, b=4, *, c=5):
        return (a * 3 + b * 5 + c * 7 + self.a) & 1023

    def method(self, a=6, b=7, *rest, c=8, **more):
        return (a + b * 2 + c * 3 + len(rest) * 11 + len(more) * 13 + self.b) & 1023

    @classmethod
    def made(cls, a=9, b=10):
        return cls(a, b=b)

    @staticmethod
    def free(a, b=11, *, c=12):
        return (a - b + c) & 1023

    def items(self, count, start=0):
        for index in range(start, start + count):
            yield index * self.a


class Derived(Plain):
    def __init__(self, a=13, *, b=14):
        super().__init__(a, b=b)
        self.extra = a

    def __call__(self, a=15, b=16, *, c=17):
        return super().__call__(b, a, c=c) + 1

    def method(self, a=18, b=19, c=20):
        return (a * 5 + b - c + self.extra) & 1023


class Large:
    def __init__(self, a=21, b=22):
        self.a = self.b = a + b

    def __call__(self, a=23, b=24, *rest, c=25, **more):
        total = a
        for step in range(b & 3):
            total = (total * 3 + step) & 1023
        for name in sorted(more):
            total += len(name) + more[name]
        total = (total + c) & 1023
        if rest:
            total += rest[0]
        self.b += 1
        return total + (self.b & 3)

    def method(self, a, b=26, *, c=27):
        try:
            return (a // (b & 3) + c) & 1023
        except ZeroDivisionError:
            return c & 1023

    made = free = lambda *rest, **more: Large(len(rest), len(more))
    items = lambda self, count, start=0: iter(range(start, start + count))


def function(a=28, b=29, *, c=30):
    return (a ^ b ^ c) & 1023


CALLED = [Plain(), Derived(), Large(), function, lambda a=31, b=32, *, c=33: (a + b + c) & 1023, Plain(2).method, Derived(3).__call__]
MADE = [Plain, Derived, Plain, Large]
HOLDERS = [Plain(4), Derived(5), Plain(6, b=7), Large(8)]


def number(found):
    return found if isinstance(found, int) else found.a
""",
    triggers=tuple(
        said(text)
        for text in (
            "{i} = fit({i} + several(CALLED, {n})({n} & 7))",
            "{i} = fit({i} + several(CALLED, {n})(b={n} & 7))",
            "{i} = fit({i} + several(CALLED, {n})({n} & 3, c=act({n}) or 5))",
            "{i} = fit({i} + several(CALLED, {n})(c={n} & 3, a={n} & 1))",
            "{i} = fit({i} + several(CALLED, {n})(*({n} & 3, {n} & 5)))",
            "{i} = fit({i} + several(CALLED, {n})(*[{n} & 3], **{{'c': {n} & 7}}))",
            "{i} = fit({i} + several(CALLED, {n})(**{{'b': {n} & 7, 'c': 1}}))",
            "{d} = several(CALLED, {n}); {i} = fit({i} + {d}({n} & 3) - {d}(b=1) + {d}(2, c={n} & 1))",
            "{i} = fit({i} + several(HOLDERS, {n}).method({n} & 7))",
            "{i} = fit({i} + several(HOLDERS, {n}).method({n} & 7, c=2))",
            "{i} = fit({i} + several(HOLDERS, {n}).method(a=3, b={n} & 7))",
            "{i} = fit({i} + several(HOLDERS, {n}).method(*({n} & 7, 3)))",
            "{d} = several(HOLDERS, {n}).method; {i} = fit({i} + {d}({n} & 3, b={n} & 1))",
            "{i} = fit({i} + several(MADE, {n})({n} & 7).a)",
            "{i} = fit({i} + several(MADE, {n})(a={n} & 7, b=act({n}) or 2).b)",
            "{i} = fit({i} + number(several(MADE, {n}).made({n} & 7, b=3)))",
            "{i} = fit({i} + number(several(MADE, {n}).free({n} & 7)))",
            "for {d} in several(HOLDERS, {n}).items(3): {i} = fit({i} + {d})",
            "for {d} in several(HOLDERS, {n}).items(count=2, start={n} & 3): {i} = fit({i} + {d})",
            "{i} = fit({i} + sum(several(HOLDERS, {n}).items({n} & 3)))",
            "try: {i} = fit({i} + several(CALLED, {n})(missing={n}))\nexcept TypeError as e: note('refused', str(e))",
            "{i} = fit({i} + max(({n} & 7, 2), key=several(CALLED, {n})))",
        )
    ),
    observers=tuple(
        seen(text)
        for text in (
            "{i} = fit({i} + CALLED[{n} % len(CALLED)](a=1, c={n} & 7))",
            "{i} = fit({i} + HOLDERS[{n} & 3].method(1, c=3))",
            "{i} = fit({i} + HOLDERS[{n} & 3].a + HOLDERS[{n} & 1].b)",
        )
    ),
    effects=(
        "Plain.__call__ = [lambda self, a=3, b=4, *, c=5: (a + b + c + 1) & 1023, Large.__call__, Derived.method][n % 3]",
        "Derived.method = [Plain.method, lambda self, a=1, *, b=2, c=3: (a - b - c) & 1023][n & 1]",
        "function.__defaults__ = (n & 15, n & 7) if n & 1 else (1, 2)",
        "function.__kwdefaults__ = {'c': n & 31}",
        "CALLED[n % len(CALLED)] = CALLED[n // 3 % len(CALLED)]",
        "HOLDERS[n & 3] = [Plain, Derived, Large][n % 3](n & 15)",
        "HOLDERS[n & 1].method = (lambda a=1, b=2, c=3: (a * b + c) & 1023) if n & 4 else HOLDERS[n & 1].method",
        "HOLDERS[n & 3].__class__ = Derived if n & 1 and isinstance(HOLDERS[n & 3], Plain) and hasattr(HOLDERS[n & 3], 'extra') else type(HOLDERS[n & 3])",
        "if n & 1: Derived.extra = n & 7\nelif 'extra' in vars(Derived): del Derived.extra",
    ),
)

KINDS = Feature(
    definitions="""
class One:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return self.n + (other if isinstance(other, int) else 1)

    __radd__ = __mul__ = __rmul__ = __add__

    def __eq__(self, other):
        return self.n == getattr(other, "n", other)

    def __lt__(self, other):
        return self.n < getattr(other, "n", 2)

    def __hash__(self):
        return self.n

    def __len__(self):
        return self.n & 3

    def __getitem__(self, index):
        if not 0 <= index < 4:
            raise IndexError(index)
        return self.n + index

    def __contains__(self, item):
        return item == self.n & 3

    def __enter__(self):
        return self.n

    def __exit__(self, kind, error, traceback):
        return kind is KeyError

    @property
    def p(self):
        return self.n & 7

    def __int__(self):
        return self.n


class Two(One):
    def __add__(self, other):
        total = 0
        for step in range(3):
            total += step
        return NotImplemented if isinstance(other, Three) else self.n - total

    def __bool__(self):
        return self.n & 1 == 0

    def __getitem__(self, index):
        total = self.n
        for step in range(index & 3):
            total = (total * 5 + step) & 255
        if index > 2:
            raise IndexError
        return total

    def __iter__(self):
        yield self.n
        yield self.n + 1

    p = property(lambda self: -self.n)


class Three(list):
    def __init__(self, n):
        super().__init__((n, n + 1, n + 2))
        self.n = n

    def __radd__(self, other):
        return len(self)

    def __getitem__(self, index):
        return super().__getitem__(index % 3) + 1

    p = 3


class Four(dict):
    n = 4

    def __missing__(self, key):
        return 40

    def __add__(self, other):
        return 4

    __radd__ = __add__

    @property
    def p(self):
        return len(self)


SHOWN = [One(1), One(2), Two(3), Two(4), 5, 6.5, Three(7), Four(), "text", (1, 2, 3), [4, 5], {0: 1, 1: 2}]


def shown(n):
    return several(SHOWN, n)


def plain(value):
    return value if isinstance(value, (int, float)) else len(value) if hasattr(value, "__len__") else 9
""",
    triggers=tuple(
        said(text)
        for text in (
            "try: {i} = fit({i} + int(plain(shown({n}) + {n})))\nexcept TypeError as e: note('add')",
            "try: {i} = fit({i} + int(plain(({n} & 7) * shown({n}))))\nexcept TypeError as e: note('multiply')",
            "try: {i} = fit({i} + int(plain(shown({n}) + shown({n} + 1))))\nexcept TypeError as e: note('both')",
            "{b} = shown({n}) == shown({n} + 1)",
            "try: {b} = shown({n}) < shown({n} + 1)\nexcept TypeError as e: note('less')",
            "try: {i} = fit({i} + len(shown({n})))\nexcept TypeError as e: note('length')",
            "try: {i} = fit({i} + int(plain(shown({n})[{n} % 5])))\nexcept (TypeError, LookupError) as e: note(type(e).__name__)",
            "try: {b} = {n} & 3 in shown({n})\nexcept TypeError as e: note('in')",
            "if shown({n}): {i} = fit({i} + 1)",
            "{b} = not shown({n})",
            "{i} = fit({i} + getattr(shown({n}), 'p', 2))",
            "try: {i} = fit({i} + shown({n}).p)\nexcept AttributeError as e: note('p')",
            "try:\n    for {d} in shown({n}): {i} = fit({i} + int(plain({d})))\nexcept TypeError as e: note('iteration')",
            "try: {d}, *{d} = shown({n})\nexcept (TypeError, ValueError) as e: note('unpacking')",
            "try:\n    with shown({n}) as {d}: {i} = fit({i} + int({d})); raise KeyError({n}) if {n} & 1 else ValueError\n"
            "except (TypeError, AttributeError, ValueError, KeyError) as e: note(type(e).__name__)",
            "{d} = shown({n}); {b} = isinstance({d}, One); {i} = fit({i} + ({d}.n if {b} else 1))",
            "{d} = shown({n}); {i} = fit({i} + ({d}.n if type({d}) is Two else hash(type({d}) is One)))",
            "{d} = shown({n})\nif {d} != {n}: {d} = shown({n} + act({n} & 3 or 1) if {n} < 0 else {n})\n{i} = fit({i} + ({d} is shown({n})))",
        )
    ),
    effects=(
        "SHOWN[n % len(SHOWN)] = [One, Two, Three][n % 3](n & 15)",
        "SHOWN[n % len(SHOWN)] = n & 31",
        "SHOWN[n % len(SHOWN)] = float(n & 31)",
        "One.__len__ = (lambda self: 2) if n & 1 else (lambda self: self.n & 1)",
        "if n & 1: Two.__len__ = lambda self: 3\nelif '__len__' in vars(Two): del Two.__len__",
        "Four.n = n & 7",
        "for item in SHOWN:\n    if isinstance(item, One): item.n = n & 7",
    ),
)

FEATURES = {"calls": CALLS, "kinds": KINDS}
