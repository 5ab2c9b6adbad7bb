"""Recursion with functools.lru_cache and without."""

import sys
from functools import cache, lru_cache

BENCH = {"size": 22, "small": 6}


@lru_cache(maxsize=None)
def partitions(n, largest):
    if n == 0:
        return 1
    if n < 0 or largest == 0:
        return 0
    return partitions(n - largest, largest) + partitions(n, largest - 1)


@cache
def stairs(n):
    if n <= 1:
        return 1
    return stairs(n - 1) + stairs(n - 2) + (stairs(n - 3) if n > 2 else 0)


@lru_cache(maxsize=1000)
def grid_paths(rows, cols):
    if rows == 1 or cols == 1:
        return 1
    return grid_paths(rows - 1, cols) + grid_paths(rows, cols - 1)


def change(amount, coins):
    @lru_cache(maxsize=None)
    def ways(left, i):
        if left == 0:
            return 1
        if left < 0 or i == len(coins):
            return 0
        return ways(left - coins[i], i) + ways(left, i + 1)

    return ways(amount, 0)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def hanoi(n, a, b, c):
    if n == 0:
        return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


def run(size):
    total = 0
    for _ in range(size):
        partitions.cache_clear()
        total += partitions(200, 200) % 1000003
    stairs.cache_clear()
    for n in range(0, size * 20, 50):
        total += stairs(n) % 1000003
    grid_paths.cache_clear()
    total += grid_paths(30, 30) % 1000003
    for amount in [*range(20, size * 20, 20)] * 2:
        total += change(amount, (1, 2, 5, 10, 20, 50, 100, 200))
    return total, fib(size + 4), ackermann(2, size * 10), hanoi(size - 5, "a", "b", "c")


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
