"""Bound methods called with `*items` from hot code: the function gets the instance before the items, and errors are the function's own."""
import gc
import sys
import weakref


class Pair:
    def __init__(self, first):
        self.first = first

    def both(self, second, third=10):
        return (self.first, second, third)

    def held(self, second):
        return sys.getrefcount(second)

    def fails(self, second):
        raise ValueError((self.first, second))

    @classmethod
    def made(cls, first):
        return cls(first)

    @staticmethod
    def plain(a, b):
        return a + b


class Called:
    def __call__(self, *items):
        return len(items)


def calls(rounds, pair, items, more):
    total = 0
    for i in range(rounds):
        a, b, c = pair.both(*items)
        total += a + b + c
        a, b, c = pair.both(*more)
        total += a - b + c
        total += pair.plain(*more) + pair.made(*items).first
    return total


def through(method, rounds, items):
    last = None
    for _ in range(rounds):
        last = method(*items)
    return last


def errors(rounds, pair):
    seen = {}
    for i in range(rounds):
        items = (i,) * (i % 4)
        try:
            pair.both(*items)
        except TypeError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
        try:
            pair.fails(*(i % 3,))
        except ValueError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


pair = Pair(3)
print(calls(3000, pair, (4,), (5, 6)))
print(errors(3000, pair))
for method in (pair.both, Pair.made, Called(), pair.both, [].append, Called().__call__):
    result = through(method, 1500, (7,))
    print(type(result).__name__, result if not isinstance(result, Pair) else result.first)

item = object()
print(through(pair.held, 2000, (item,)) - through(pair.held, 1, (item,)), sys.getrefcount(item), sys.getrefcount(pair))


class Gone:
    def take(self, *items):
        return items


def dies(rounds):
    alive = 0
    for _ in range(rounds):
        gone = Gone()
        reference = weakref.ref(gone)
        method = gone.take
        del gone
        method(*(1, 2))
        del method
        alive += reference() is not None
    return alive


print(dies(2000), gc.collect() >= 0)
