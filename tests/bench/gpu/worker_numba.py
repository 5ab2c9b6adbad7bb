"""What runs under kiln and under numba-cuda. Usage: worker_numba.py first|all; figures as JSON on standard output.

BENCH_CACHE=1: kernels ask for a cache on disk, as numba wants it.
"""

import json
import os
import sys
import time

import numpy

for old, new in ("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid"):  # numba-cuda wants NumPy 1's names
    if not hasattr(numpy, old):
        setattr(numpy, old, getattr(numpy, new))

start = time.perf_counter()
from numba import cuda

IMPORT_MS = (time.perf_counter() - start) * 1e3

import kernels
from timing import call_ms, kernel_ms, launch_us


def measure_first(figures: dict) -> None:
    """First calls: of the process's first kernel and of a second one, when the context is there."""
    options = {"cache": True} if os.environ.get("BENCH_CACHE") == "1" else {}
    arrays = [cuda.to_device(numpy.ones(32, numpy.float32)) for _ in range(3)]
    cuda.synchronize()
    first, second = cuda.jit(**options)(kernels.mixed), cuda.jit(**options)(kernels.three)
    figures["first kernel"] = call_ms(lambda: first[1, 32](arrays[0], 3, 2.0), cuda.synchronize)
    figures["second kernel"] = call_ms(lambda: second[1, 32](*arrays), cuda.synchronize)


def measure_launches(figures: dict) -> None:
    """Launches of kernels that do next to nothing."""
    arrays = [cuda.to_device(numpy.ones(32, numpy.float32)) for _ in range(3)]
    for name, body, arguments in [("launch()", kernels.nothing, ()), ("launch(array, array, array)", kernels.three, arrays),
                                  ("launch(array, int, float)", kernels.mixed, (arrays[0], 3, 2.0)), ("launch(16 arrays)", kernels.sixteen, [arrays[0]] * 16)]:
        kernel = cuda.jit(body)
        kernel[1, 32](*arguments)
        figures[name] = launch_us(kernel[1, 32], cuda.synchronize, *arguments)
    ready = kernel[1, 32]
    by_name = launch_us(lambda *given: ready(*given), cuda.synchronize, *arguments)
    figures["kernel[grid, block] itself"] = launch_us(lambda *given: kernel[1, 32](*given), cuda.synchronize, *arguments) - by_name


def time_kernel(launch) -> float:
    return kernel_ms(launch, lambda: cuda.event(timing=True), lambda a, b: a.elapsed_time(b))


def measure_kernels(figures: dict, checks: dict, sizes: dict) -> None:
    """Kernel times, and sums of the results."""
    n = sizes["add"]
    a, b, c = (cuda.to_device(numpy.full(n, value, numpy.float32)) for value in (1, 2, 0))
    add = cuda.jit(kernels.three)
    figures["vector add"] = time_kernel(lambda: add[n // 256, 256](a, b, c))
    checks["vector add"] = float(c[-1])
    del a, b, c
    n = sizes["matmul"]
    rows = (numpy.arange(n * n, dtype=numpy.float32) % 7).reshape(n, n)
    a, b, c = cuda.to_device(rows), cuda.to_device(rows.T.copy()), cuda.device_array((n, n), numpy.float32)
    multiply = cuda.jit(kernels.matmul)
    figures["matmul"] = time_kernel(lambda: multiply[(n // 16, n // 16), (16, 16)](a, b, c))
    checks["matmul"] = float(c[1, 2])
    n = sizes["mandelbrot"]
    out = cuda.device_array((n, n), numpy.int32)
    draw = cuda.jit(kernels.mandelbrot)
    figures["mandelbrot"] = time_kernel(lambda: draw[(n // 16, n // 16), (16, 16)](out))
    checks["mandelbrot"] = int(out.copy_to_host().sum() // (n * n // 64))


def main() -> None:
    """Prints the figures asked for."""
    figures, checks = {"import": IMPORT_MS}, {}
    measure_first(figures)
    if sys.argv[1] == "all":
        measure_launches(figures)
        measure_kernels(figures, checks, json.loads(sys.argv[2]))
    print(json.dumps({"figures": figures, "checks": checks, "device": str(cuda.get_current_device().name)}))


if __name__ == "__main__":
    main()
