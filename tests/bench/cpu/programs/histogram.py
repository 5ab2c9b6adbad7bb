"""A histogram: a bin for each float, counted by an augmented assignment to an element."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 600000, "small": 3000, "kernels": ["count"]}


BINS = 64


@functools.cache
def values(n):
    return np.random.RandomState(7).normal(0.0, 1.0, n)


def count(values, low, high, counts):
    scale = len(counts) / (high - low)
    for i in range(len(values)):
        x = values[i]
        if low <= x < high:
            counts[int((x - low) * scale)] += 1


def run(n):
    counts = np.zeros(BINS, np.int64)
    count(values(n), -4.0, 4.0, counts)
    return counts


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
