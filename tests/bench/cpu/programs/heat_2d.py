"""Heat in a plate: a five-point stencil between two grids of floats, and the largest change of each step."""

import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 120, "small": 12, "kernels": ["relax", "diffuse"]}


STEPS = 12


def relax(u, v):
    change = 0.0
    rows, columns = u.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
            change = max(change, abs(v[i, j] - u[i, j]))
    return change


def diffuse(u, v, steps):
    for _ in range(steps):
        u[1, 1] += relax(u, v)
        u, v = v, u
    return u


def run(n):
    u = np.zeros((n, n))
    u[0, :] = 100.0
    u[:, -1] = np.linspace(100.0, 0.0, n)
    return diffuse(u, u.copy(), STEPS)


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
