"""Permutations and combinations by recursive generators."""

import sys

BENCH = {"size": 9, "small": 5}


def permutations(items):
    if len(items) <= 1:
        yield items
        return
    for i in range(len(items)):
        rest = items[:i] + items[i + 1:]
        for tail in permutations(rest):
            yield [items[i]] + tail


def combinations(items, k):
    if k == 0:
        yield ()
        return
    for i, item in enumerate(items):
        for rest in combinations(items[i + 1:], k - 1):
            yield (item,) + rest


def swap_permutations(a, k=0):
    if k == len(a):
        yield tuple(a)
    else:
        for i in range(k, len(a)):
            a[k], a[i] = a[i], a[k]
            yield from swap_permutations(a, k + 1)
            a[k], a[i] = a[i], a[k]


def subsets(items):
    if not items:
        yield []
        return
    for rest in subsets(items[1:]):
        yield rest
        yield [items[0]] + rest


def run(size):
    total = 0
    for p in permutations(list(range(size - 1))):
        total = (total + p[0] * p[3] + p[2]) % 1000007
    for p in swap_permutations(list(range(size))):
        total = (total * 3 + p[1] * p[4] + p[3]) % 1000007
    for c in combinations(tuple(range(size * 2)), 6):
        total = (total + sum(c)) % 1000007
    for s in subsets(list(range(size + 6))):
        total += len(s)
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
