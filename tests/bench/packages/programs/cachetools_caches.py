"""cachetools: memoised recursion and caches with several policies under one stream of keys."""

import sys

from cachetools import FIFOCache, LFUCache, LRUCache, RRCache, TTLCache, cached, cachedmethod
from cachetools.keys import hashkey

BENCH = {"size": 45_000, "small": 100}


class Store:
    def __init__(self):
        self.cache = LRUCache(maxsize=64)
        self.misses = 0

    @cachedmethod(lambda self: self.cache, key=lambda self, a, b: hashkey(a, b))
    def combine(self, a, b):
        self.misses += 1
        return a * 31 + b


def run(size):
    ticks = [0]
    caches = [LRUCache(100), LFUCache(100), FIFOCache(100), RRCache(100, choice=min),
              TTLCache(100, ttl=500, timer=lambda: ticks[0])]
    hits = [0] * len(caches)
    store = Store()
    state, total = 1, 0

    @cached(LRUCache(maxsize=500))
    def partitions(n, k):
        if n == 0 or k == 1:
            return 1
        return partitions(n, k - 1) + (partitions(n - k, k) if n >= k else 0)

    for number in range(size):
        ticks[0] += 1
        state = (state * 1103515245 + 12345) % 2147483648
        key = (state >> 8) % 50 if state % 3 else (state >> 8) % 400
        for place in (number % 5, (number + 2) % 5):
            if key in caches[place]:
                hits[place] += 1
                total += caches[place][key]
            else:
                caches[place][key] = key * 2
        total += store.combine(key % 17, key % 11)
    return hits, total, store.misses, partitions(30, 30), [len(cache) for cache in caches]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
