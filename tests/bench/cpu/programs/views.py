"""Moving averages by views: a row of a grid, a slice of the row for each window, its elements."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 480, "small": 9, "kernels": ["average"]}


WIDTH = 5


@functools.cache
def grid(n):
    return np.random.RandomState(11).uniform(0.0, 1.0, (n, n))


def average(grid, out, width):
    for i in range(len(grid)):
        row = grid[i]
        smooth = out[i]
        for j in range(len(row) - width + 1):
            window = row[j : j + width]
            s = 0.0
            for k in range(len(window)):
                s += window[k]
            smooth[j] = s / width


def run(n):
    out = np.zeros((n, n))
    average(grid(n), out, WIDTH)
    return out


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
