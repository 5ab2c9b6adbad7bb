# Small functions that C code calls again and again: by keys, comparisons, hashes and maps; with defaults, exceptions, frames, tools and
# changes in between.
import functools
import heapq
import sys
import traceback


class Item:
    def __init__(self, rank, name="x"):
        self.rank = rank
        self.name = name

    def __lt__(self, other):
        return self.rank < other.rank

    def __eq__(self, other):
        return self.rank == other.rank

    def __hash__(self):
        return hash(self.rank)

    def __bool__(self):
        return self.rank > 3

    def __len__(self):
        return self.rank

    def __contains__(self, rank):
        return self.rank == rank


def scrambled(count):
    return [(k * 7919) % count for k in range(count)]


def orders(rounds):
    total = 0
    items = [Item(rank) for rank in scrambled(50)]
    for turn in range(rounds):
        by_key = sorted(items, key=lambda item: item.rank)
        by_class = sorted(items)
        heap = list(items)
        heapq.heapify(heap)
        total += by_key[turn % 50].rank * 3 + by_class[turn % 50].rank + heap[turn % 50].rank
        total += sum(map(lambda item: item.rank + turn, items)) + len(list(filter(None, items)))
        total += functools.reduce(lambda a, item: a + item.rank, items, 0) + items.index(Item(turn % 50)) + items.count(Item(3))
    return total


def tables(rounds):
    table = {Item(rank): rank for rank in range(40)}
    return sum(table[Item(turn % 40)] + (Item(turn % 60) in table) for turn in range(rounds))


def defaults(rounds):
    add = lambda item, more=5: item + more  # noqa: E731
    total = 0
    for turn in range(rounds):
        if turn == rounds // 2:
            add.__defaults__ = (7,)
        total += sum(map(add, range(30)))
    return total


def kinds(rounds):
    double = lambda x: x + x  # noqa: E731
    out = []
    for turn in range(rounds):
        values = [turn, turn / 2, "ab", [1], 2**70] if turn % 3 else [turn] * 5
        out.append(list(map(double, values))[turn % 5])
    return out[-7:]


class Refused(Exception):
    pass


def raising(rounds):
    def check(number):
        if number == 17:
            raise Refused(number)
        return number
    caught = 0
    for turn in range(rounds):
        try:
            caught += sum(map(check, range(turn % 20)))
        except Refused as error:
            caught += 1000
            place = traceback.extract_tb(error.__traceback__)
            names = [frame.name for frame in place], [frame.lineno - raising.__code__.co_firstlineno for frame in place]
    return caught, names


def looking(rounds):
    def here(number):
        return sys._getframe(1).f_code.co_name if number == 5 else None
    names = set()
    for _ in range(rounds):
        names.update(map(here, range(10)))
    return sorted(names, key=str)


def replaced(rounds):
    def first(number):
        return number + 1

    def second(number):
        return number * 2
    total = 0
    for turn in range(rounds):
        if turn % 100 == 50:
            first.__code__, second.__code__ = second.__code__, first.__code__
        total += sum(map(first, range(20)))
    return total


def profiled(rounds):
    add = lambda number: number + 1  # noqa: E731
    calls = []
    total = sum(sum(map(add, range(30))) for _ in range(rounds))
    sys.setprofile(lambda frame, event, argument: calls.append(event) if frame.f_code is add.__code__ else None)
    total += sum(map(add, range(30)))
    sys.setprofile(None)
    return total + sum(map(add, range(30))), len(calls), set(calls)


def deep(rounds):
    class Chain:
        def __init__(self, inner):
            self.inner = inner

        def __hash__(self):
            return hash(self.inner)
    shallow = Chain(Chain(1))
    total = sum(hash(shallow) for _ in range(rounds))
    chain = 1
    for _ in range(100_000):
        chain = Chain(chain)
    try:
        hash(chain)
    except RecursionError:
        total += 5
    while isinstance(chain, Chain):
        chain = chain.inner
    return total


for function in (orders, tables, defaults, kinds, raising, looking, replaced, profiled, deep):
    print(function.__name__, function(600))


class Wide:
    def __init__(self, value):
        self.first = 1
        self.value = value


class Narrow:
    def __init__(self, value):
        self.value = value


def changing(rounds):
    """The classes that a function meets change for good, and only C code calls it."""
    def value_of(item):
        return item.value

    def next_to(number):
        return number + 1

    total = 0
    for make in (Narrow, Wide, Narrow):
        items = [make(rank) for rank in range(50)]
        for _ in range(rounds // 6):
            total += sum(map(value_of, items))
    for first in (0.5, 0, True, 2**70):
        items = [first + rank for rank in range(50)]
        for _ in range(rounds // 6):
            total += max(map(next_to, items)) % 1000
    return total


def by_name(rounds):
    def named(number, *, step=2):
        return number + step

    def spread(*numbers):
        return numbers[0] + 1

    return sum(sum(map(named, range(20))) + sum(map(spread, range(20))) for _ in range(rounds))


for function in (changing, by_name):
    print(function.__name__, function(600))
