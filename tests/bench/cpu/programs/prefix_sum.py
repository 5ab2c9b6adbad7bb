"""Running sums of an array of ints: a chain from element to element."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 1500000, "small": 3000, "kernels": ["accumulate"]}


@functools.cache
def values(n):
    return np.random.RandomState(8).randint(-1000, 1000, n, np.int64)


def accumulate(values, sums):
    s = 0
    for i in range(len(values)):
        s += values[i]
        sums[i] = s


def run(n):
    sums = np.empty(n, np.int64)
    accumulate(values(n), sums)
    return sums


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
