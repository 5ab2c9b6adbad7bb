"""Union-find (Kruskal, percolation) and merging of intervals."""

import random
import sys

BENCH = {"size": 66_000, "small": 1500}


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True

    def connected(self, a, b):
        return self.find(a) == self.find(b)


def kruskal(n, edges):
    forest = UnionFind(n)
    total = 0
    for weight, a, b in sorted(edges):
        if forest.union(a, b):
            total += weight
    return total, forest.count


def percolation(side, rng):
    n = side * side
    sites = UnionFind(n + 2)
    is_open = [False] * n
    order = list(range(n))
    rng.shuffle(order)
    for opened, cell in enumerate(order, 1):
        is_open[cell] = True
        row, col = divmod(cell, side)
        if row == 0:
            sites.union(cell, n)
        if row == side - 1:
            sites.union(cell, n + 1)
        for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if 0 <= r < side and 0 <= c < side and is_open[r * side + c]:
                sites.union(cell, r * side + c)
        if sites.connected(n, n + 1):
            return opened / n
    return 1.0


def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def run(size):
    rng = random.Random(8)
    nodes = size // 3
    edges = [(rng.randrange(1000), rng.randrange(nodes), rng.randrange(nodes)) for _ in range(size)]
    total = sum(kruskal(nodes, edges))
    threshold = sum(percolation(60, rng) for _ in range(size // 1500))
    spans = [(s, s + rng.randrange(1, 30)) for s in (rng.randrange(size * 32) for _ in range(size))]
    merged = merge(spans)
    return total, round(threshold, 6), len(merged), sum(b - a for a, b in merged)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
