"""Heat in a rod: a three-point stencil between two arrays of floats that change places."""

import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 1000, "small": 40, "kernels": ["diffuse"]}


STEPS = 300


def diffuse(u, v, steps):
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, v = v, u
    return u


def run(n):
    u = np.zeros(n)
    u[n // 3 : n // 2] = 100.0
    return diffuse(u, u.copy(), STEPS)


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
