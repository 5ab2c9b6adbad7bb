"""f(*arguments, **keywords): of functions, methods, classes and C functions, with their errors, lifetimes and depth."""

import functools
import sys
import traceback
import weakref


def add(a, b=10, *rest, c=100, **others):
    return a + b + sum(rest) + c + sum(others.values())


class Point:
    def __init__(self, x, y=2):
        self.x, self.y = x, y

    def move(self, dx, dy=0):
        return self.x + dx, self.y + dy

    def __call__(self, *values, **named):
        return len(values), sorted(named)


def spread(n):
    total = 0
    arguments, keywords = (1, 2), {"c": 3}
    point = Point(1)
    for i in range(n):
        total += add(*arguments)
        total += add(*arguments, **keywords)
        total += add(i, *arguments, d=4, **keywords)
        total += add(*[i, 5], c=i)
        total += add(**{"a": i})
        total += point.move(*(i,))[0] + point.move(**{"dx": i, "dy": 1})[1]
        total += Point(*arguments).y + Point(**{"x": i}).x
        total += max(*arguments, i) + int(*("12",), **{"base": 8})
        total += point(*arguments, *arguments, k=1)[0] + len("-".join(*(["a", "b"],)))
        total += functools.partial(add, 1)(*arguments) + (lambda *p: len(p))(*range(3))
    return total


def wrap(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        return function(*arguments, **keywords)

    return wrapper


@wrap
def wrapped(a, b=1):
    return a * b


def decorated(n):
    return sum(wrapped(i) + wrapped(i, b=i) + wrapped(*(i, 2)) for i in range(n))


BAD = [
    lambda: add(*5), lambda: add(*None), lambda: add(**5), lambda: add(1, **{"a": 2}), lambda: add(1, **{1: 2}), lambda: add(),
    lambda: Point(*(1, 2, 3)), lambda: Point(**{"z": 1}), lambda: len(*(1, 2)), lambda: int(*("x",)), lambda: None(*()),
    lambda: add(*(1, "x")), lambda: Point(1).move(*()),
]


def failing(index):
    arguments = [(5,), (None,)]
    if index < 2:
        return add(*arguments[index][0])
    return BAD[index]()


def errors(n):
    seen = {}
    for i in range(n):
        index = i % len(BAD)
        try:
            failing(index)
        except Exception as error:
            lines = [(frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
            seen[index] = type(error).__name__, str(error), lines
    return seen


class Mark:
    pass


def ends(parameter, gone):
    parameter = None
    return gone() is None


def ends_named(*, parameter, gone):
    parameter = None
    return gone() is None


def lifetimes(n):
    told = set()
    for i in range(n):
        mark = Mark()
        gone = weakref.ref(mark)
        pair = [mark, gone]
        del mark
        told.add(("list", ends(*pair)))
        mark = pair.pop(0)
        keywords = {"parameter": mark, "gone": gone}
        del mark, pair
        told.add(("dict", ends_named(**keywords)))
        keywords.clear()
        told.add(("none", gone() is None))
        mark = Mark()
        gone = weakref.ref(mark)
        made = (mark, gone)
        del mark
        told.add(("tuple", ends(*made)))
        del made
        told.add(("gone", gone() is None))
        told.add(("fresh", ends(*[Mark()], **{"gone": lambda: None})))
    return sorted(told)


def depth(*arguments, **keywords):
    n, = arguments
    return n if keywords.get("stop") == n else depth(*(n + 1,), **keywords)


def deepest():
    try:
        return depth(*(0,), **{"stop": -1})
    except RecursionError as error:
        return str(error)


class Nested:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(self.count))

    def keys(self):
        return ["c", "d"]

    def __getitem__(self, key):
        return self.count


class Failing:
    def __iter__(self):
        yield 1
        raise ValueError("no more")


def iterables(n):
    total = 0
    for i in range(n):
        total += add(*Nested(3)) + add(*"", **{"a": 1}) + add(*{1: 2, 3: 4}) + add(1, **Nested(2)) + add(*(x for x in (1, 2)))
        try:
            total += add(*Failing())
        except ValueError as error:
            total += len(str(error))
    return total


def frames(*arguments):
    frame = sys._getframe(1)
    return frame.f_lineno - frame.f_code.co_firstlineno, sorted(frame.f_locals)


def looked_at(n):
    told = set()
    for i in range(n):
        pair = (i, n)
        told.add(str(frames(*pair)))
    return sorted(told)


for _ in range(3):
    print(spread(400), decorated(400), lifetimes(300), iterables(300), looked_at(300))
    print(errors(400))
    print([depth(*(0,), **{"stop": i}) for i in range(60)][-1], deepest())
