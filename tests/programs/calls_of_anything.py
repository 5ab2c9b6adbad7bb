# Places that call more functions than can be told apart, of every kind: what the callees see, raise, keep and end.
import functools
import sys
import traceback


def numbered(count):
    return [eval("lambda x, y=%d: x + y" % k) for k in range(count)]


FUNCTIONS = numbered(9)


def dispatch(functions, rounds):
    total = 0
    for i in range(rounds):
        total += functions[i % len(functions)](i)
    return total


def through(f, *rest, **named):
    return f(*rest, **named)


def apply(f, x):
    return f(x)


print(dispatch(FUNCTIONS, 3000), [apply(f, 2) for f in FUNCTIONS * 40][-9:])


class Doubler:
    def __init__(self, x=0):
        self.x = x

    def __call__(self, x):
        return 2 * x

    def method(self, x):
        return self.x + x

    @classmethod
    def of_class(cls, x):
        return cls.__name__, x

    @staticmethod
    def static(x):
        return -x


def generator(x):
    yield x
    yield x + 1


def gathers(x, *rest, **named):
    return x, rest, named


def defaults(x, y=[], *, z=3):
    return x, y, z


def keywords(*, x):
    return x


KINDS = [*FUNCTIONS[:6], Doubler(), Doubler(5).method, Doubler.of_class, Doubler.static, generator, gathers, defaults, keywords, abs, str, Doubler,
         functools.partial(FUNCTIONS[2], y=10), functools.lru_cache(FUNCTIONS[3]), "none", None]


def kinds(rounds):
    seen = []
    for i in range(rounds):
        kind = KINDS[i % len(KINDS)]
        try:
            result = kind(i)
        except TypeError as error:
            result = str(error)
        if hasattr(result, "send"):
            result = list(result)
        if isinstance(result, Doubler):
            result = result.x
        seen.append(result)
    return seen[-len(KINDS):]


print(kinds(2100))


# What a callee sees of its callers, and what it raises through them.
def sees_caller(x):
    frame = sys._getframe(1)
    return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, sorted(frame.f_locals), x


def raises(x):
    raise ValueError(x)


def deep(x):
    return apply(sees_caller, x)


LOOKERS = [*FUNCTIONS[:7], sees_caller, raises, deep]


def lookers(rounds):
    last = []
    for i in range(rounds):
        local = i * 2
        try:
            last.append(apply(LOOKERS[i % 10], local))
        except ValueError as error:
            entries = traceback.extract_tb(error.__traceback__)
            last.append([(entry.name, entry.line) for entry in entries])
        last = last[-10:]
    return last


for entry in lookers(2000):
    print(entry)


# The end of objects: arguments belong to the callee, which may end them early.
class Ends:
    log = []

    def __init__(self, name):
        self.name = name

    def __del__(self):
        Ends.log.append(self.name)


def drops(x):
    name = x.name
    x = None
    Ends.log.append("after " + name)
    return 1


def keeps(x):
    Ends.log.append("has " + x.name)
    return 2


def numbered_enders():
    return [eval("lambda x: x.name and %d" % k) for k in range(6)] + [drops, keeps]


def ends(rounds):
    enders = numbered_enders()
    total = 0
    for i in range(rounds):
        total += enders[i % 8](Ends("n%d" % i))
        if i < rounds - 16:
            Ends.log.clear()
    return total


print(ends(1600), Ends.log)


# Functions that are changed, replaced and unbound between calls; a callable that lives only on the stack.
def first(x):
    return "first", x


def second(x):
    return "second", x


def changing(rounds):
    table = numbered(6) + [first, second]
    out = []
    for i in range(rounds):
        out.append(table[i % 8](i))
        if i % 300 == 299:
            first.__code__, second.__code__ = second.__code__, first.__code__
        if i % 700 == 699:
            table[3] = lambda x: ("made", x)
            table[0].__defaults__ = (1000 + i,)
        out = out[-8:]
    return out


print(changing(2900))


def temporary(rounds):
    total = 0
    for i in range(rounds):
        total += (FUNCTIONS[i % 9] if i % 11 else (lambda x: Ends("t") and x * 2))(i)
    return total


Ends.log.clear()
print(temporary(2200), len(Ends.log))


# Recursion through places that call anything ends as CPython ends it.
def recursive(f, n):
    return 0 if n == 0 else 1 + f[n % len(f)](f, n - 1)


def other(f, n):
    return 0 if n == 0 else 2 + f[n % len(f)](f, n - 1)


RECURSIVE = [recursive, other] + [eval("lambda f, n: 0 if n == 0 else %d + f[n %% len(f)](f, n - 1)" % k) for k in range(5)]
print([recursive(RECURSIVE, n % 200) for n in range(400)][-3:])
try:
    recursive(RECURSIVE, 10**6)
except RecursionError as error:
    print("RecursionError", str(error)[:32])
print(recursive(RECURSIVE, 100))


# Arguments of classes that the callee's code is not for; results of every class.
def mixed(rounds):
    out = []
    values = [1, 2.5, "s", True, None, 10**30, (1,), 3 + 4j]
    for i in range(rounds):
        value = values[i // 200 % len(values)]
        try:
            out.append(FUNCTIONS[i % 9](value))
        except TypeError as error:
            out.append(str(error))
        out = out[-9:]
    return out


print(mixed(1600), mixed(300))


# With keywords, stars, and through wrappers.
def wrapped(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner


WRAPPED = [wrapped(f) for f in FUNCTIONS]


def named(rounds):
    total = 0
    for i in range(rounds):
        total += WRAPPED[i % 9](i, y=i % 5) + FUNCTIONS[i % 9](y=i, x=3) + through(FUNCTIONS[i % 9], i)
    return total


print(named(2700))


# With arguments spread, of functions that are too large to be taken in.
def large(a, b=2, *rest, c=3):
    total = 0
    for k in range(3):
        if a == b == k:
            total += 1
        total += (a * b if k else a + b) - (a - b) * k + (a > b) + (a < b) * 2 + c
    return total, len(rest)


def large_plain(x1, y1, x2, y2):
    if x1 == y1 == 0 or x2 == y2 == 0:
        return False
    a = x1 * x1 + y1 * y1
    b = x2 * x2 + y2 * y2
    c = (x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2)
    return a + b == c or a + c == b or b + c == a


def spread(points, rounds):
    found = 0
    for first in points[:rounds]:
        for second in points:
            found += large_plain(*first, *second)
    return found


print(spread([(x, y) for x in range(7) for y in range(7)], 40), spread([[1, 2.5], (0, 0), [3, 1]], 3))


def spread_all(rounds):
    results = []
    for i in range(rounds):
        items = [i % 7, i % 5]
        results.append(large(*items))
        results.append(large(*items, *[1, 2], **{"c": i}))
        results.append(large(*(i,), **{}))
        results.append(large(*range(i % 4 + 1)))
        try:
            results.append(large_plain(*items, *items[: i % 3]))
        except TypeError as error:
            results.append(str(error))
        results.append((large if i % 3 else max)(*items, 4))
        results = results[-12:]
    return results


print(spread_all(1500))


def drops_first(a, b):
    name = a.name
    a = None
    Ends.log.append("after " + name)
    for k in range(4):
        b = b * 2 + k if k % 2 else b - k
    return b


def spread_ends(rounds):
    total = 0
    for i in range(rounds):
        total += drops_first(*[Ends("s%d" % i), i])
        total += drops_first(*(Ends("t%d" % i), i), **{})
        if i < rounds - 3:
            Ends.log.clear()
    return total


Ends.log.clear()
print(spread_ends(1300), Ends.log)


# A tracer that a callee sets sees the calls from then on.
events = []


def sets_trace(x):
    if x == 1504:
        sys.setprofile(lambda frame, event, arg: events.append((event, frame.f_code.co_name)) if len(events) < 12 else None)
    return x


def traced(rounds):
    table = numbered(7) + [sets_trace]
    total = 0
    for i in range(rounds):
        total += table[i % 8](i - i % 8 if i % 8 == 7 else i)
    sys.setprofile(None)
    return total


print(traced(1600), events)
