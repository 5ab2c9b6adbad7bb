# Tracebacks of exceptions caught out of hot loops: every line number and column, in loops, callees and recursion.
import itertools
import traceback


def show(error):
    entries = [
        (e.name, e.lineno, e.end_lineno, e.colno, e.end_colno, e.line)
        for e in traceback.extract_tb(error.__traceback__)
    ]
    for entry, same in itertools.groupby(entries):
        print("   ", len(list(same)), *entry)
    print("   ", type(error).__name__, error)


def multi_line(count, bad):
    total = 0
    for i in range(count):
        total += i * 3 + 10 // (bad - i) - i
    return total


def tiny(x, y):
    return x % y


def caller(count, bad):
    acc = 0
    for i in range(count):        acc = acc + tiny(i, 1); acc = acc + tiny(i, bad - i) if i % 2 else acc - tiny(i, bad - i)  # fmt: skip
    return acc


def descend(n):
    if n == 0:
        return [][n]
    return descend(n - 1) + 1


def attribute(items):
    total = 0
    for item in items:
        total += item.real
        total += item.imag + item.numerator
    return total


def unpack(items):
    total = 0
    for a, b in items:
        total += a - b
    return total


def comprehension(count, bad):
    return [tiny(7, bad - i) for i in range(count) if i % 3 == 0]


def generator(count, bad):
    for i in range(count):
        yield tiny(i, bad - i)


def consume(count, bad):
    total = 0
    for x in generator(count, bad):
        total += x
    return total


def iterate_bad(count):
    total = 0
    for i in [1] * count + [None]:
        for j in range(2):
            total += i + j
    return total


class Point:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Point(self.x // (6000 - other))


def operators(count):
    p = Point(1)
    for i in range(count):
        p + i
    return p


def unbound(count):
    for i in range(count):
        if i < 6000:
            value = i
        elif i == 6000:
            del value
        value += 1
    return value


cases = [
    (multi_line, 9000, 6000),
    (caller, 9000, 6001),
    (caller, 9000, 6000),
    (descend, 600),
    (attribute, [1] * 6000 + [2.5]),
    (unpack, [(1, 2)] * 6000 + [(1, 2, 3)]),
    (unpack, [(1, 2)] * 6000 + [3]),
    (comprehension, 9000, 6000),
    (consume, 9000, 6000),
    (iterate_bad, 6000),
    (operators, 9000),
    (unbound, 9000),
]
for function, *arguments in cases:
    for _ in range(2):
        try:
            function(*arguments)
        except Exception as error:
            print(function.__name__)
            show(error)
