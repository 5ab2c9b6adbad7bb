"""A generator that is made in compiled code and goes anywhere but into a loop of its own."""

import collections.abc
import functools
import itertools


def count(n):
    for i in range(n):
        yield i * 3


def lines(text):
    yield 0
    place = text.find("\n")
    while place >= 0:
        yield place + 1
        place = text.find("\n", place + 1)
    yield len(text) + 1


def enumerated(n):
    total = 0
    for index, item in enumerate(count(n)):
        total += index * item
    return total


def enumerated_from(n):
    total = 0
    for index, item in enumerate(count(n), 5):
        total += index * item
    return total


def slices(n):
    text = "ab\n" * (n % 4)
    found, before = [], 0
    for index, place in enumerate(lines(text)):
        found.append((index, text[before:place]))
        before = place
    return found


def zipped(n):
    total = 0
    for a, b in zip(count(n), count(n + 1)):
        total += a * b
    return total


def zipped_with_others(n):
    total = 0
    for a, b, c in zip(range(n), count(n), [1, 2, 3]):
        total += a * b + c
    for a, b in zip([5, 6, 7], count(n)):
        total += a * b
    for index, (a, b) in enumerate(zip(count(n), (1, 2))):
        total += index + a + b
    for index, (other, item) in enumerate(enumerate(count(n))):
        total += index * other + item
    return total


def consumed(n):
    words = "".join(str(item) for item in count(n))
    return (
        sum(count(n)), list(count(n)), tuple(count(n)), set(count(n)), sorted(count(n), reverse=True), max(count(n), default=-1),
        min(count(n), default=-1), any(count(n)), all(count(n)), dict(enumerate(count(n))), words, 3 in count(n), 4 not in count(n),
        [*count(n)], {*count(n)}, bytes(count(n)), list(map(str, count(n))), list(filter(None, count(n))), list(itertools.chain(count(n), count(2))),
        list(itertools.islice(count(n), 2)), functools.reduce(lambda a, b: a + b, count(n), 0), collections.deque(count(n), 2), len(list(count(n))),
    )  # fmt: skip


def unpacked(n):
    a, b, c = count(3)
    first, *rest = count(n + 1)
    return a + b + c, first, rest, max(*count(2)), [item for item in count(n)], {item: item for item in count(n)}


def looked_at(n):
    made = count(n)
    return bool(count(n)), not made, made is None, made == made, count(n) == made, type(made).__name__, isinstance(made, collections.abc.Iterator), hasattr(made, "send")


def kept(n):
    made = count(n)
    pair = (made, count(n))
    held = [made, pair]
    table = {"made": made}
    got = [next(table["made"], None), next(held[1][1], None), next(held[0], None)]
    return got, list(made), list(pair[1])


def moved(n):
    a, b = count(n), count(n + 2)
    a, b = b, a
    alias = a
    c = a if n % 2 else b
    return next(alias, -1), next(c, -1), list(a), list(b)


def delegated(n):
    def outer():
        yield from count(n)
        return (yield -1)

    return list(outer())


def closed(n):
    made = count(n)
    first = next(made, None)
    made.close()
    sent = count(n)
    return first, list(made), next(sent, None), sent.send(None) if n > 1 else None


def caught(n):
    try:
        len(count(n))
    except TypeError as error:
        return str(error)


def attribute(n):
    class Holder:
        pass

    holder = Holder()
    holder.made = count(n)
    total = 0
    for item in holder.made:
        total += item
    for index, item in enumerate(holder.made):
        total += 1000
    return total


def captured(n):
    made = count(n)

    def take():
        return next(made, None)

    return take(), take(), list(made)


def returned(n):
    return count(n)


FUNCTIONS = (
    enumerated, enumerated_from, slices, zipped, zipped_with_others, consumed, unpacked, looked_at, kept, moved, delegated, closed, caught,
    attribute, captured, returned,
)  # fmt: skip
for function in FUNCTIONS:
    for n in range(400):
        result = function(n % 6)
        if function is returned:
            result = [(index, item) for index, item in enumerate(result)]
        if n % 100 < 6:
            print(function.__name__, n, result)
