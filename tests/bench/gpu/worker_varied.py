"""The varied kernels under kiln and under numba-cuda, and those that there are in CUDA C++ under CuPy. Usage: worker_varied.py cuda|c++ SIZE;
times and sums as JSON.

BENCH_ONLY=TEXT: those whose names contain it. Without a GPU the kernels run once, on the CPU.
"""

import json
import os
import sys

import numpy

for old, new in ("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid"):  # numba-cuda wants NumPy 1's names
    if not hasattr(numpy, old):
        setattr(numpy, old, getattr(numpy, new))

from numba import cuda

import varied_arrays
import varied_cuda
import varied_grids
from timing import kernel_ms

CASES = varied_arrays.CASES + varied_grids.CASES


def checksum(result) -> float:
    """A number that another result hardly has."""
    values = result.copy_to_host() if hasattr(result, "copy_to_host") else result
    values = numpy.abs(values["x"] if values.dtype.fields else values).ravel().astype(numpy.float64)
    return float((values * (1 + numpy.arange(values.size) % 7)).sum())


def measure(kernel, prepare, size: int, is_gpu: bool) -> tuple[float, float]:
    """A kernel's milliseconds, and the sum of its result after one launch."""
    grid, block, arguments, result = prepare(size)
    if is_gpu:
        arguments = [cuda.to_device(value) if isinstance(value, numpy.ndarray) and value.ndim > 0 else value for value in arguments]
    launcher = cuda.jit(kernel)[grid, block]
    launcher(*arguments)
    cuda.synchronize()
    total = checksum(arguments[result])
    time = kernel_ms(lambda: launcher(*arguments), lambda: cuda.event(timing=True), lambda a, b: a.elapsed_time(b)) if is_gpu else 0.0
    return time, total


def measure_text(name: str, prepare, size: int) -> tuple[float, float]:
    """The same of a kernel's text."""
    import cupy
    grid, block, arguments, result = prepare(size)
    sizes, text = varied_cuda.SOURCES[name]
    arguments += [numpy.int32(value) for value in sizes(arguments)]
    arguments = [cupy.asarray(value) if isinstance(value, numpy.ndarray) and value.ndim > 0 else value for value in arguments]
    grid, block = (value if isinstance(value, tuple) else (value,) for value in (grid, block))
    kernel = cupy.RawKernel(text, "measured")
    kernel(grid, block, tuple(arguments))
    total = checksum(cupy.asnumpy(arguments[result]))
    return kernel_ms(lambda: kernel(grid, block, tuple(arguments)), cupy.cuda.Event, cupy.cuda.get_elapsed_time), total


def main() -> None:
    """Prints times and sums; a case that fails ends the run."""
    is_text, size = sys.argv[1] == "c++", int(sys.argv[2])
    only = os.environ.get("BENCH_ONLY", "")
    is_gpu = os.environ.get("KILN_OFFLOAD", "cpu") == "gpu"
    figures, checks = {}, {}
    for name, kernel, prepare in CASES:
        if only in name and (not is_text or name in varied_cuda.SOURCES):
            try:
                figures[name], checks[name] = measure_text(name, prepare, size) if is_text else measure(kernel, prepare, size, is_gpu)
            except Exception as error:
                raise RuntimeError(f"{name}: {error}") from error
    print(json.dumps({"figures": figures, "checks": checks}))


if __name__ == "__main__":
    main()
