"""intervaltree: bookings added, overlapped, chopped and merged."""

import sys

from intervaltree import Interval, IntervalTree

BENCH = {"size": 3500, "small": 20}


def run(size):
    tree = IntervalTree()
    state = 99
    clashes = 0
    for k in range(size):
        state = (state * 1103515245 + 12345) % 2147483648
        start = (state >> 8) % 10_000
        end = start + 5 + (state >> 4) % 60
        clashes += len(tree.overlap(start, end))
        tree.add(Interval(start, end, k))
    at = [len(tree.at(point)) for point in range(0, 10_000, 250)]
    for start in range(0, 10_000, 1000):
        tree.chop(start, start + 50)
    merged = tree.copy()
    merged.merge_overlaps(data_reducer=lambda a, b: a + b, strict=False)
    return clashes, at, len(tree), len(merged), sorted(tree)[0][:2], sum(interval.data for interval in merged)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
