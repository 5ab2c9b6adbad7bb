"""Distances of all pairs of points in three dimensions: an inner loop of three rounds, a square root."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 300, "small": 10, "kernels": ["pairwise"]}


@functools.cache
def points(n):
    return np.random.RandomState(6).uniform(-1.0, 1.0, (n, 3))


def pairwise(x, d):
    n, dimensions = x.shape
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(dimensions):
                t = x[i, k] - x[j, k]
                s += t * t
            d[i, j] = np.sqrt(s)


def run(n):
    d = np.empty((n, n))
    pairwise(points(n), d)
    return d


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
