"""Product of two matrices of floats by three loops over ndarrays."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 96, "small": 6, "kernels": ["multiply"]}


@functools.cache
def matrix(n, seed):
    return np.random.RandomState(seed).uniform(-1.0, 1.0, (n, n))


def multiply(a, b, c):
    n = len(a)
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def run(n):
    c = np.empty((n, n))
    multiply(matrix(n, 4), matrix(n, 5), c)
    return c


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
