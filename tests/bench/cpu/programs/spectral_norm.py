"""Spectral norm of an implicit matrix: a tiny function called from nested loops over lists of floats."""

import math
import sys

BENCH = {"group": "numeric", "size": 420, "short_size": 112, "small": 20, "kernels": ["element", "multiply", "multiply_transposed", "run"]}


def element(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def multiply(v, out):
    n = len(v)
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += element(i, j) * v[j]
        out[i] = s


def multiply_transposed(v, out):
    n = len(v)
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += element(j, i) * v[j]
        out[i] = s


def run(n):
    u = [1.0] * n
    v = [0.0] * n
    t = [0.0] * n
    for _ in range(6):
        multiply(u, t)
        multiply_transposed(t, v)
        multiply(v, t)
        multiply_transposed(t, u)
    uv = 0.0
    vv = 0.0
    for i in range(n):
        uv += u[i] * v[i]
        vv += v[i] * v[i]
    return math.sqrt(uv / vv)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
