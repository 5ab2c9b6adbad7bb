"""sortedcontainers: a schedule of events in sorted lists, dicts and sets."""

import sys

from sortedcontainers import SortedDict, SortedKeyList, SortedSet

BENCH = {"size": 150_000, "small": 100}


def run(size):
    events = SortedKeyList(key=lambda event: (event[0], event[1]))
    prices = SortedDict()
    seen = SortedSet()
    state = 12345
    total = 0
    for k in range(size):
        state = (state * 1103515245 + 12345) % 2147483648
        events.add((state % 1000, k))
        prices[state % 4096] = prices.get(state % 4096, 0) + 1
        seen.add(state % 777)
        if len(events) > 300:
            total += events.pop(state % len(events))[0]
        if k % 8 == 0 and prices:
            key, value = prices.peekitem(prices.bisect_left(state % 4096) - 1)
            total += key * value
    ranks = sum(seen.bisect(value) for value in range(0, 777, 7))
    between = [len(list(events.irange_key((low, 0), (low + 50, 0)))) for low in range(0, 1000, 50)]
    return total, ranks, between, len(prices)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
