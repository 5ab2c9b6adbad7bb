# Sets and frozensets in hot loops: membership, algebra, growth, iteration order of ints, unhashable members.


def visited(count):
    seen = set()
    position = step = 0
    while position not in seen and step < count:
        seen.add(position)
        position = (position * 1103515245 + 12345) % 8191
        step += 1
    return step, len(seen), position


def algebra(count):
    evens, threes = set(range(0, 60, 2)), set(range(0, 60, 3))
    total = 0
    for i in range(count):
        both = evens & threes
        total += (
            len(both)
            + len(evens | threes)
            + len(evens - threes)
            + len(evens ^ threes)
            + (both <= evens)
            + (i % 60 in both)
        )
        if i % 1000 == 0:
            evens.discard(i % 60)
            threes |= {i % 7}
    return total, sorted(evens)[:5], sorted(threes)[:5]


def constants(count):
    n = 0
    for i in range(count):
        n += i % 10 in {1, 3, 5}
        n += str(i % 10) in {"1", "2"}
        n += i not in (1, 2, 3)
    return n


def primes(limit):
    composite = set()
    total = 0
    for i in range(2, limit):
        if i not in composite:
            total += i
            composite.update(range(i * i, limit, i))
    return total


def frozen_keys(count):
    d = {}
    for i in range(count):
        key = frozenset((i % 3, i % 4))
        d[key] = d.get(key, 0) + 1
    return sorted((sorted(k), v) for k, v in d.items())


def errors(count):
    seen = {}
    s = {1}
    for i in range(count):
        try:
            if i % 3 == 0:
                s.add([])
            elif i % 3 == 1:
                s.remove(2)
            else:
                {1} < 5
        except (TypeError, KeyError) as error:
            seen[repr(error)] = seen.get(repr(error), 0) + 1
    return seen


def pops(count):
    s = set(range(count))
    total = n = 0
    while s:
        total += s.pop() * (n % 2)
        n += 1
    return total, n


print(visited(9000), algebra(5000), constants(9000), primes(9000), frozen_keys(6000), errors(6000), pops(9000))
print(sum({i % 17 for i in range(9000)}), len({1, 1.0, True, 2}), [x for x in {30, 10, 20}])
