"""What runs under kiln on the CPU. Usage: worker_cpu.py ADD MATMUL STENCIL MANDELBROT BODIES; the best times as JSON."""

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


def measure_arrays(figures: dict, n: int) -> list[float]:
    """Kernels with arrays of one dimension."""
    a, b, c = (numpy.full(n, value, numpy.float32) for value in (1, 2, 0))
    sums = numpy.zeros(512, numpy.float32)
    add, total = cuda.jit(kernels.three), cuda.jit(kernels.reduction)
    figures["vector add"] = best_ms(lambda: add[n // kernels.BLOCK, kernels.BLOCK](a, b, c))
    figures["reduction"] = best_ms(lambda: total[len(sums), kernels.BLOCK](c, sums))
    return [float(c[-1]), float(sums.sum())]


def measure_matrices(figures: dict, n: int) -> list[float]:
    """Products with shared memory and without."""
    rows = (numpy.arange(n * n, dtype=numpy.float32) % 7).reshape(n, n)
    other, product = rows.T.copy(), numpy.zeros((n, n), numpy.float32)
    checks = []
    for name, kernel in ("matmul", kernels.matmul), ("plain matmul", kernels.plain_matmul):
        multiply = cuda.jit(kernel)
        figures[name] = best_ms(lambda: multiply[(n // 16, n // 16), (16, 16)](rows, other, product))
        checks.append(float(product[1, 2]))
    return checks


def measure_grids(figures: dict, n: int, picture: int) -> list[float]:
    """A stencil and a picture."""
    old = (numpy.arange(n * n, dtype=numpy.float32) % 11).reshape(n, n)
    new, out = numpy.zeros_like(old), numpy.zeros((picture, picture), numpy.int32)
    step, draw = cuda.jit(kernels.stencil), cuda.jit(kernels.mandelbrot)
    figures["stencil"] = best_ms(lambda: step[(n // 16, n // 16), (16, 16)](old, new))
    figures["mandelbrot"] = best_ms(lambda: draw[(picture // 16, picture // 16), (16, 16)](out))
    return [float(new[7, 5]), float(out.sum())]


def measure_bodies(figures: dict, n: int) -> list[float]:
    """Each with each."""
    x = numpy.arange(n, dtype=numpy.float32) % 13
    y, z, out = x % 5, x % 3, numpy.zeros(n, numpy.float32)
    pull = cuda.jit(kernels.bodies)
    figures["n-body"] = best_ms(lambda: pull[n // kernels.BLOCK, kernels.BLOCK](x, y, z, out))
    return [round(float(out[1]), 1)]


def main() -> None:
    """Prints times and results."""
    add, matmul, stencil, picture, bodies = map(int, sys.argv[1:])
    figures: dict[str, float] = {}
    checks = measure_arrays(figures, add) + measure_matrices(figures, matmul) + measure_grids(figures, stencil, picture)
    checks += measure_bodies(figures, bodies)
    print(json.dumps({"figures": figures, "checks": checks}))


if __name__ == "__main__":
    main()
