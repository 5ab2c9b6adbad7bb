# Operators and comparisons of sets whose members are compared by Python code, or share a hash: what is asked, in which order, and
# the order of what comes out.
import itertools
import zlib

ROUNDS = 1500


class Key:
    """Has the hash of a number, and is equal to keys of the same name only."""

    def __init__(self, number, name, log):
        self.number = number
        self.name = name
        self.log = log

    def __hash__(self):
        self.log.append(("hash", self.name))
        return self.number

    def __eq__(self, other):
        self.log.append(("equal", self.name, getattr(other, "name", other)))
        return isinstance(other, Key) and self.name == other.name

    def __repr__(self):
        return self.name


def told(value):
    return list(value) if isinstance(value, (set, frozenset)) else value


def ask(left, right):
    return [
        told(left & right),
        told(left | right),
        told(left - right),
        told(left ^ right),
        left <= right,
        left < right,
        left >= right,
        left > right,
        left == right,
        left != right,
    ]


def many(pairs, log):
    """All pairs in turns, so that the same code meets sets of every kind."""
    seen = []
    for index in range(ROUNDS):
        left, right = pairs[index % len(pairs)]
        log.clear()
        answers = ask(left, right)
        if index < len(pairs) or index >= ROUNDS - len(pairs):
            seen.append((answers, list(log)))
    return seen


def each(pairs, log):
    """One pair for long: its code is made for it."""
    seen = []
    for left, right in pairs:
        log.clear()
        for _ in range(300):
            answers = ask(left, right)
        seen.append((answers, len(log), log[-60:]))
    return seen


def members(log):
    """Sets with members of one hash in several orders, plain and not."""
    a, b, c = (Key(1, name, log) for name in "abc")
    far = Key(1000, "far", log)
    plain = [1, 2.5, True, (1, (2, 3)), -1, -2, 2**70]
    yield set()
    yield frozenset()
    yield {1, 2, 3}
    yield frozenset(range(40))
    yield set(range(20, 200))
    yield set(plain)
    yield {a}
    yield {1, a}
    yield {a, 1}
    yield {a, b}
    yield frozenset([b, a, c])
    yield {far} | set(range(30))
    yield {(a, 1), (1, a)}
    yield {(a, 1), (b, 1), (1, a)}
    yield {1, (1, 1)}


def shrunk(log):
    """With places where members were."""
    left = set(range(60))
    right = set(range(30, 90))
    for number in range(0, 90, 7):
        left.discard(number)
        right.discard(number + 3)
    return left, right, {Key(31, "k", log)} | right


def growing(count):
    """Sets of changing sizes: from copies or member by member."""
    total = 0
    free = frozenset(range(50))
    for index in range(count):
        part = frozenset(range(index % 50, index % 50 + 1 + index % 23))
        rest = free - part
        total += (part <= free) + len(rest) + len(rest & part) + (min(rest) if rest else 0) + (part - free == frozenset())
    return total


log = []
sets = list(members(log)) + list(shrunk(log))
pairs = list(itertools.product(sets, sets))
for (left, right), (answers, asked) in zip(pairs * 2, many(pairs, log)):
    print(len(left), len(right), len(asked), zlib.crc32(repr((answers, asked)).encode()))
for answers, count, asked in each(pairs[::3], log):
    print(count, zlib.crc32(repr((answers, asked)).encode()))
print(growing(4000))
