"""Puzzles and pipelines by itertools."""

import sys
from collections import Counter
from functools import reduce
from itertools import (accumulate, chain, combinations, count, cycle, groupby, islice, permutations, product, starmap,
                       takewhile, tee, zip_longest)
from operator import mul

BENCH = {"size": 750_000, "small": 100}


def pairwise(items):
    a, b = tee(items)
    next(b, None)
    return zip(a, b)


def grouper(items, n):
    return zip_longest(*[iter(items)] * n, fillvalue=0)


def brute_force():
    found = 0
    for s, e, n, d in permutations(range(10), 4):
        if s and (s * 1000 + e * 100 + n * 10 + d) % 37 == 0:
            found += s + e + n + d
    for s, e, n, d, m in permutations(range(9), 5):
        if s + e == n + d + m:
            found += 1
    return found


def dice(k):
    return Counter(sum(roll) for roll in product(range(1, 7), repeat=k))


def subset_sums(numbers, target):
    return sum(1 for r in range(len(numbers)) for c in combinations(numbers, r) if sum(c) == target)


def run_lengths(bits):
    return [(k, len(list(g))) for k, g in groupby(bits)]


def run(size):
    total = brute_force()
    total += max(dice(6).values())
    total += subset_sums([3, 34, 4, 12, 5, 2, 7, 9, 11, 8, 15, 21, 1, 6, 10], 45)
    total += sum(b - a for a, b in pairwise(x * x % 101 for x in range(size)) if b > a)
    total += len(run_lengths((x * x >> 3) & 1 for x in range(size)))
    total += reduce(lambda a, b: (a * 31 + b) % 1000003, chain.from_iterable(grouper(range(size // 8), 3)))
    total += sum(islice((a * b for a, b in zip(count(1), cycle([1, -1, 2]))), size))
    total += sum(takewhile(lambda v: v < 10 ** 9, accumulate(range(size))))
    total += sum(starmap(lambda a, b: a * b % 7, islice(combinations(range(1000), 2), size)))
    total += reduce(mul, range(1, 200)) % 1000003
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
