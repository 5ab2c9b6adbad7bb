# f(*items) of lists, tuples, ranges, dicts, iterators and classes of the program's; what is no iterable; with keywords.
import gc
import sys


def total(*numbers, **more):
    return sum(numbers) + sum(more.values())


def three(a, b, c=10):
    return a * b + c


class Items:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield i


class Old:
    def __getitem__(self, index):
        if index > 2:
            raise IndexError
        return index


class Failing:
    def __iter__(self):
        raise ValueError("no items")


class Watched:
    ended = []

    def __init__(self, name):
        self.name = name

    def __del__(self):
        Watched.ended.append(self.name)


def lists(n):
    result = 0
    for i in range(n):
        items = [i, i + 1, 2]
        result += total(*items) + three(*items) + max(*items) + len(list(zip(*[items, items])))
        items.pop()
        result += three(*items, **{"c": i})
        result += total(*[x for x in range(i & 3)], *items, key=3)
    return result


def others(n):
    result = 0
    for i in range(n):
        result += total(*range(i & 7)) + total(*{1: 2, 3: 4}) + total(*{i, 1}) + total(*map(abs, (-1, i)))
        result += total(*(x * 2 for x in range(3))) + total(*Items(i & 3)) + total(*Old()) + total(*b"ab", **{"a": 1})
        result += len(Pair(*"ab")) + total(*zip([1], [2])[0] if False else [1])
    return result


class Pair(tuple):
    def __new__(cls, a, b):
        return tuple.__new__(cls, (a, b))


def changing(n):
    result = 0
    for i in range(n):
        items = [1, 2] if i < n // 2 else (1, 2) if i < n - 10 else range(2) if i < n - 5 else {3: 4, 5: 6}
        result += total(*items)
    return result


def errors(n):
    texts = []
    for i in range(n):
        items = [1, 2, 3] if i % 500 else [None, 4, Failing(), 1.5][i // 500 % 4]
        try:
            three(*items)
        except (TypeError, ValueError) as error:
            texts.append(str(error))
        try:
            print(*items if i % 500 else None)if i % 1000 == 0 else None
        except TypeError as error:
            texts.append(str(error))
    return texts


def lifetimes(n):
    """A list that nobody else has goes with the call."""
    Watched.ended.clear()
    for i in range(n):
        total(*[len([Watched(i)])])
        hash(*[Watched(i + n)])
        made = [Watched(i + 2 * n)]
        hash(*made)
        del made
    return len(Watched.ended), Watched.ended[:6]


def references(n):
    item = object()
    items = [item]
    before = sys.getrefcount(item)
    for i in range(n):
        hash(*items)
        total(*[i])
    return sys.getrefcount(item) - before, sys.getrefcount(items)


def evaluate(x):
    if isinstance(x, int):
        return x
    args = [evaluate(y) for y in x[1:]]
    return x[0](*args)


def tree(depth):
    return ((lambda a, b: a + b), tree(depth - 1), tree(depth - 1)) if depth else 1


for size in (10, 4000):
    for work in (lists, others, changing, errors, lifetimes, references):
        print(work.__name__, size, work(size))
print([evaluate(tree(d)) for d in (3, 9, 11)])
gc.collect()
