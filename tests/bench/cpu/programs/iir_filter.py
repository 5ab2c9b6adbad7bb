"""A filter of second order over a signal of floats: four locals carried from sample to sample."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 400000, "small": 2000, "kernels": ["biquad"]}


@functools.cache
def signal(n):
    return np.random.RandomState(10).uniform(-1.0, 1.0, n)


def biquad(x, y, b0, b1, b2, a1, a2):
    x1 = x2 = y1 = y2 = 0.0
    for i in range(len(x)):
        t = b0 * x[i] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x2, x1 = x1, x[i]
        y2, y1 = y1, t
        y[i] = t


def run(n):
    y = np.empty(n)
    biquad(signal(n), y, 0.2929, 0.5858, 0.2929, -0.0001, 0.1716)
    return y


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
