"""When the arguments of a call end: a callee that sets its parameter ends what the caller has no other use for, at once."""

import functools
import sys
import weakref

ENDED = []


class Told:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        ENDED.append(self.number)

    def rebinds(self, n):
        self = None
        return len(ENDED)

    def closes_over(self, n):
        def inner():
            nonlocal self
            self = n
            return len(ENDED)

        return inner()


def sets(d, n):
    d = n
    return len(ENDED)


def deletes(d, n):
    del d
    return len(ENDED)


def keeps(d, n):
    x = n & 3
    return len(ENDED) + x


def in_cell(d, n):
    def inner():
        nonlocal d
        d = n
        return len(ENDED)

    return inner()


def raises(d, n):
    d = n
    if n % 3 == 0:
        raise ValueError(len(ENDED))
    return len(ENDED)


def keeps_and_raises(d, n):
    if n % 3 == 0:
        raise ValueError(len(ENDED))
    return len(ENDED)


def recurses(d, n):
    if n > 0:
        return recurses(Told(n), n - 1)
    d = None
    return len(ENDED)


def ends_in_order(first, second):
    local = Told(first.number + 0.5)
    second = Told(second.number + 0.25)
    return local.number


def named(d, /, n, *, other=None):
    d = None
    count = len(ENDED)
    other = n
    return count * 100 + len(ENDED)


def rest(*many):
    many = len(many)
    return many * 100 + len(ENDED)


def keywords(**many):
    many = len(many)
    return many * 100 + len(ENDED)


class Rebinding:
    """Classes and operators lend their arguments."""

    def __init__(self, d):
        d = None
        self.ended = len(ENDED)

    def __add__(self, d):
        d = None
        return len(ENDED)

    def __call__(self, d):
        d = None
        return len(ENDED)


def passes_all(*many, **names):
    """The tuple and the dict are the function's own, whatever the callee does with what it takes out of them."""
    ended = twice(*many, **names)
    return ended, len(many), [type(one).__name__ for one in many], sorted(names)


def made(k):
    return Told(k), k


def generates(d, n):
    d = n
    yield len(ENDED)


def with_default(n, d=Told("default")):
    d = None
    return len(ENDED)


def calls_on(d, n):
    return sets(d, n)


def twice(a, b):
    a = None
    count = len(ENDED)
    b = None
    return count * 100 + len(ENDED)


HELD = [Told("held")]


def all_calls(k):
    t = Told(-k)
    seen = [
        sets(Told(k), k), deletes(Told(k), k), keeps(Told(k), k), in_cell(Told(k), k), recurses(Told(k), 3),
        ends_in_order(Told(k), Told(k + 1)), named(Told(k), k, other=Told(k)), named(Told(k), n=k), rest(Told(k), Told(k)),
        keywords(a=Told(k), b=Told(k)), next(generates(Told(k), k)), with_default(k), with_default(k, Told(k)), calls_on(Told(k), k),
        sets(t, k), sets(HELD[0], k), twice(t, t), Told(k).rebinds(k), Told(k).closes_over(k), Told.rebinds(Told(k), k),
        sets(*(Told(k), k)), sets(*[Told(k)], *[k]), sets(**{"d": Told(k), "n": k}), sets(*(Told(k),), **{"n": k}), sets(*made(k)), sets(*HELD, n=k), keywords(*(), k=Told(k)),
        Rebinding(Told(k)).ended, Rebinding(Told(k)) + Told(k), Rebinding(0)(Told(k)), getattr(Told(k), "rebinds")(k), passes_all(Told(k), Told(k)),
        passes_all(Told(k), b=Told(k)), passes_all(a=Told(k), b=Told(k)), functools.partial(sets, Told(k))(k),
    ]
    bound = Told(k).rebinds
    seen.append(bound(k))
    pair = (Told(k), k)
    seen.append(sets(*pair))
    for raising in (raises, keeps_and_raises):
        try:
            seen.append(raising(Told(k), k))
        except ValueError as error:
            seen.append((error.args, len(ENDED)))
        seen.append(len(ENDED))
    return seen


for k in range(400):
    ENDED.clear()
    seen = all_calls(k)
    if k % 50 < 3:
        print(k, seen, ENDED)


def direct(rounds, f):
    total = 0
    for k in range(rounds):
        total += f(Told(k), k) - len(ENDED)
    return total


def caught(rounds, f):
    """The exception leaves compiled code with the operands still on the stack."""
    counts = []
    for k in range(rounds):
        try:
            counts.append((k, f(Told(k), k), len(ENDED)))
        except ValueError as error:
            counts.append((k, error.args, len(ENDED)))
    return counts[-4:]


for f in (sets, deletes, keeps, in_cell, calls_on, recurses):
    ENDED.clear()
    print(f.__name__, [direct(size, f) for size in (3, 100, 500)])
for f in (raises, keeps_and_raises):
    ENDED.clear()
    print(f.__name__, [caught(size, f) for size in (3, 100, 500)])


def methods(rounds):
    total = 0
    for k in range(rounds):
        total += Told(k).rebinds(k) - len(ENDED)
        total += Told(k).closes_over(k) - len(ENDED)
    return total


def aliases(rounds):
    wrong = 0
    for k in range(rounds):
        t = Told(k)
        before = len(ENDED)
        wrong += sets(t, k) != before
        wrong += twice(t, t) != before * 101
        wrong += t.number != k
    return wrong


def dies_with_its_class(rounds):
    """A method whose instance is the last that keeps it."""
    gone = 0
    for k in range(rounds):
        class Short:
            def method(self, n):
                self = weakref.ref(self)
                return n + (self() is None)

        method = weakref.ref(Short.method)
        gone += Short().method(k) - k
        del Short
        gone += method() is None
    return gone


def switches_defaults(rounds):
    total = 0
    for k in range(rounds):
        total += with_default(k) + with_default(k, Told(k))
    return total - len(ENDED)


ENDED.clear()
for size in (3, 100, 500):
    print(methods(size), aliases(size), dies_with_its_class(min(size, 40)), switches_defaults(size), len(ENDED))
print(sys.getrefcount(HELD[0]), sys.getrefcount(None) > 1000)


def of_module_code(rounds):
    """A function whose locals are a namespace."""
    space = {"__builtins__": __builtins__, "total": 0}
    function = type(sets)(compile("for i in range(3): total = total + i", "<text>", "exec"), space)
    for _ in range(rounds):
        function()
    return space["total"], space["i"]


print([of_module_code(size) for size in (3, 200)])


def callbacks(values):
    """From C: the caller holds what it passes."""
    ENDED.clear()
    mapped = list(map(sets, [Told(v) for v in values], values))
    folded = functools.reduce(lambda total, v: total + sets(Told(v), v), values, 0)
    ordered = sorted(values, key=lambda v: (deletes(Told(v), v), -v))
    return mapped[-3:], folded, ordered[:3]


for size in (5, 300):
    print(callbacks(list(range(size))))
HELD.clear()
