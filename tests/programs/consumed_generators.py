"""Calls that take a generator's items: sum, any, all, join, list, set, sorted and tuple of generator expressions and of generators, whose
items change their class, raise, overflow and end early in the middle."""

import gc
import math
import sys
import traceback
import weakref

ROUNDS = 400


def attempt(function, *arguments):
    try:
        return repr(function(*arguments))
    except Exception as error:
        lines = [(frame.name, frame.lineno - function.__code__.co_firstlineno) for frame in traceback.extract_tb(error.__traceback__)[1:]]
        return type(error).__name__, str(error), lines


def squares(xs):
    return sum(x * x for x in xs)


def started(xs, start):
    return sum((x + x for x in xs), start)


def weighted(xs, ys):
    return sum(x * y for x, y in zip(xs, ys))


def count(xs, limit):
    return sum(x > limit for x in xs)


def has(xs, wanted):
    return any(x == wanted for x in xs)


def below(xs, limit):
    return all(x < limit for x in xs)


def truths(xs):
    return any(x for x in xs), all(x for x in xs)


def joined(xs, separator):
    return separator.join(str(x) for x in xs)


def joined_items(xs):
    return ", ".join(x for x in xs)


def gathered(xs):
    return tuple(x + 1 for x in xs), list(x + 2 for x in xs), sorted(-x for x in xs), sorted(set(x % 3 for x in xs), key=repr)


def extremes(xs):
    return max(x for x in xs), min(x for x in xs), max(x * x for x in xs), min(x + 0.5 for x in xs), max((x for x in xs)) is max(xs)


def widest(texts):
    return max(len(text) for text in texts), min(len(text) for text in texts)


def table(rows):
    return sum(sum(x * y for x in row) for y, row in enumerate(rows))


def matrix(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def walk(tree):
    if tree is None:
        return
    left, value, right = tree
    for item in walk(left):
        yield item
    yield value
    for item in walk(right):
        yield item


def pairs(n):
    for i in range(n):
        yield i, -i
        yield -i, i


def evens(n, log):
    i = 0
    while i < n:
        if i % 2 == 0:
            yield i
        i += 1
    log.append(i)


def total_of(n, log):
    return sum(evens(n, log)), sum(a for a, _ in pairs(n)), all(a + b == 0 for a, b in pairs(n))


def divided(xs, y):
    return sum(x // y for x in xs)


def inside(xs):
    return sum(len(sys._getframe().f_code.co_name) + x for x in xs)


def nested(xs):
    return sum(1 for x in xs if any(y * y == x for y in xs)) if xs else max((x for x in xs), default=None)


def queens(n, placed=()):
    if len(placed) == n:
        return 1
    row = len(placed)
    return sum(
        queens(n, placed + (column,))
        for column in range(n)
        if all(column != other and abs(column - other) != row - index for index, other in enumerate(placed))
    )


def module_level(xs):
    total = 0
    for _ in range(3):
        total += sum(x for x in xs) + sum(float(x) for x in xs)
    return total


class Loud:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        if self.value > 90:
            raise ValueError(self.value)
        return self.value % 2 == 1

    def __add__(self, other):
        return Loud(self.value + (other.value if isinstance(other, Loud) else other))

    __radd__ = __add__

    def __hash__(self):
        if self.value > 90:
            raise ValueError("unhashable")
        return self.value

    def __eq__(self, other):
        return isinstance(other, Loud) and self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    def __repr__(self):
        return f"Loud({self.value})"


class Kept:
    log = []

    def __init__(self, n):
        self.n = n

    def __del__(self):
        self.log.append(self.n)


def kept(n, wanted):
    return any(x.n == wanted for x in map(Kept, range(n))), list(Kept.log)


def sets(xs):
    return sorted(set(x for x in xs), key=repr)


def loud(xs):
    return sum((Loud(x) for x in xs), Loud(0)).value, any(Loud(x) for x in xs), sorted(Loud(x) for x in xs)


def released(n):
    class Item:
        pass

    items = [Item() for _ in range(n)]
    references = [weakref.ref(item) for item in items]
    result = tuple(id(item) % 2 for item in items)
    del items
    gc.collect()
    return len(result), sum(reference() is None for reference in references)


def report(*results):
    print(*results, flush=True)


ints = list(range(40))
floats = [0.1 * i for i in range(40)]
for turn in range(ROUNDS):
    checked = (
        squares(ints), squares(floats), started(ints, 5), started(floats, 0.5), weighted(ints, floats), count(ints, 7), has(ints, 39),
        has(ints, 50), below(floats, 3.8), truths([0, 0, 1]), joined(ints, "-"), joined_items(["a", "b"]), gathered(ints), table([ints, ints]),
        matrix([[1, 2], [3, 4]], [[0.5, 1.5], [2.5, 3.5]]), total_of(9, []), divided(ints, 3), nested(ints), module_level(ints),
        extremes(ints), extremes(floats), extremes([1000, 3000, 2000]), widest(["abc", "de"]), widest(joined(ints, " ").split()),
        sum(walk(((None, 1, None), 2, (None, 3, None)))), sets([1, 2, 2, "a"]), queens(4),
    )
    if turn % 100 == 0:
        report(checked)

# What was not seen so far.
tricky = [
    [], [True, False], [2**62, 2**62, 1], [2**31, 2**32 + 1], [1, 2.5, 3], [1.5, 2, 2**70, 0.25], [-0.0, -0.0], [-0.0], [0, -0.0],
    [1e308, 1e308, -1e308], [math.inf, 1.0], [math.inf, -math.inf], [math.nan, 1], [1, "a"], [None], [1j, 2], ["a", "b"], [(1,), (2,)],
    [1e100, 1.0, -1e100, 1.0], [0.1] * 10, [1e16, 1.0, 1.0, -1e16], [3, 1.0, 2**63, 1.0], [Loud(3), Loud(4)], [5e-324, 1e-320],
]
for items in tricky:
    report("squares", attempt(squares, items))
    for start in 0, 1.5, -0.0, 2**63, True, "x", [], Loud(1), 2**62:
        report("started", attempt(started, items, start))
    report("count", attempt(count, items, 1), attempt(has, items, 2), attempt(below, items, 5), attempt(truths, items))
    report("joined", attempt(joined, items, ", "), attempt(joined_items, items), attempt(joined, items, b"-"), attempt(joined, items, "é"))
    report("gathered", attempt(gathered, items), attempt(sets, items), attempt(table, [items, items]))
    report("extremes", attempt(extremes, items), attempt(widest, items))
    report("divided", attempt(divided, items, 2), attempt(divided, items, 0), attempt(weighted, items, items))
    report(attempt(matrix, [items, items], [[1] * 2 for _ in items]), attempt(module_level, items))
report(attempt(loud, range(5)), attempt(loud, [1, 95]), attempt(sets, [Loud(1), Loud(99)]), attempt(truths, [Loud(0), Loud(95)]))
report(attempt(inside, ints), attempt(nested, []), attempt(total_of, 12, log := []), log, attempt(squares, 5), attempt(squares, iter([1, 2])))

for turn in range(ROUNDS):
    Kept.log.clear()
    checked = kept(6, turn % 7), tuple(Kept.log), released(3)
    if turn % 80 < 8:
        report(checked)
report(queens(6), [attempt(squares, [1] * turn + ["x"]) for turn in range(5)])


def shadowed(xs):
    return sum(x for x in xs)


for turn in range(ROUNDS):
    if turn == ROUNDS - 3:
        report(shadowed(ints))
        sum = lambda items: "own " + str(len(list(items)))  # noqa: A001, E731
    shadowed(ints)
report(shadowed(ints))
