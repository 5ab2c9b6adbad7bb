"""What runs under kiln on the CPU. Usage: worker_cpu.py ADD MATMUL; the best times as JSON."""

import json
import sys
import time

import numpy
from numba import cuda

import kernels

REPEATS = 7


def best_ms(launch) -> float:
    """The best of some launches, after one that compiles."""
    launch()
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        launch()
        best = min(best, (time.perf_counter() - start) * 1e3)
    return best


def main() -> None:
    """Prints times and results."""
    n, m = map(int, sys.argv[1:])
    a, b, c = (numpy.full(n, value, numpy.float32) for value in (1, 2, 0))
    add = cuda.jit(kernels.three)
    figures = {"vector add": best_ms(lambda: add[n // 256, 256](a, b, c))}
    rows = (numpy.arange(m * m, dtype=numpy.float32) % 7).reshape(m, m)
    other, product = rows.T.copy(), numpy.zeros((m, m), numpy.float32)
    multiply = cuda.jit(kernels.matmul)
    figures["matmul"] = best_ms(lambda: multiply[(m // 16, m // 16), (16, 16)](rows, other, product))
    print(json.dumps({"figures": figures, "checks": [float(c[-1]), float(product[1, 2])]}))


if __name__ == "__main__":
    main()
