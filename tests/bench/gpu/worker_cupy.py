"""What runs under CuPy: the same kernels in CUDA C++, through RawKernel. Usage: worker_cupy.py first|all."""

import json
import sys
import time

import numpy

start = time.perf_counter()
import cupy

IMPORT_MS = (time.perf_counter() - start) * 1e3

from timing import call_ms, kernel_ms, launch_us

NOTHING = 'extern "C" __global__ void nothing() {}'
THREE = """extern "C" __global__ void three(const float* a, const float* b, float* c, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}"""
MIXED = """extern "C" __global__ void mixed(float* a, long long n, double x) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 32) a[i] = n * x;
}"""
SIXTEEN = f"""extern "C" __global__ void sixteen({', '.join(f'float* a{k}' for k in range(16))}) {{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 32) a0[i] = a1[i] + a15[i];
}}"""
ADD = """extern "C" __global__ void add(const float* a, const float* b, float* c) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 32) c[i] = a[i] + b[i];
}"""
MATMUL = """extern "C" __global__ void matmul(const float* a, const float* b, float* c, long long n) {
    __shared__ float x[16][16], y[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    long long column = (long long)blockIdx.x * 16 + tx, row = (long long)blockIdx.y * 16 + ty;
    float total = 0;
    for (long long tile = 0; tile < n / 16; tile++) {
        x[ty][tx] = a[row * n + tile * 16 + tx];
        y[ty][tx] = b[(tile * 16 + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) total += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[row * n + column] = total;
}"""
MANDELBROT = """extern "C" __global__ void mandelbrot(int* out, long long n) {
    long long column = (long long)blockIdx.x * 16 + threadIdx.x, row = (long long)blockIdx.y * 16 + threadIdx.y;
    if (row >= n || column >= n) return;
    float re = column * (float)(3.0 / 4096) - 2, im = row * (float)(3.0 / 4096) - 1.5f, x = 0, y = 0;
    int count = 0;
    while (count < 64 && x * x + y * y < 4) {
        float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        count++;
    }
    out[row * n + column] = count;
}"""


def wait() -> None:
    cupy.cuda.Device().synchronize()


def time_kernel(launch) -> float:
    return kernel_ms(launch, cupy.cuda.Event, cupy.cuda.get_elapsed_time)


def measure_launches(figures: dict, arrays: list) -> None:
    """Launches of kernels that do next to nothing."""
    for name, text, kernel_name, arguments in [
        ("launch()", NOTHING, "nothing", ()), ("launch(array, array, array)", ADD, "add", tuple(arrays)),
        ("launch(array, int, float)", MIXED, "mixed", (arrays[0], 3, 2.0)), ("launch(16 arrays)", SIXTEEN, "sixteen", (arrays[0],) * 16),
    ]:
        kernel = cupy.RawKernel(text, kernel_name)
        kernel((1,), (32,), arguments)
        figures[name] = launch_us(lambda *given: kernel((1,), (32,), given), wait, *arguments)


def measure_kernels(figures: dict, checks: dict, sizes: dict) -> None:
    """Kernel times, and sums of the results."""
    n = sizes["add"]
    a, b, c = (cupy.full(n, value, numpy.float32) for value in (1, 2, 0))
    add = cupy.RawKernel(THREE, "three")
    figures["vector add"] = time_kernel(lambda: add((n // 256,), (256,), (a, b, c, n)))
    checks["vector add"] = float(c[-1])
    del a, b, c
    n = sizes["matmul"]
    rows = (numpy.arange(n * n, dtype=numpy.float32) % 7).reshape(n, n)
    a, b, c = cupy.asarray(rows), cupy.asarray(rows.T.copy()), cupy.empty((n, n), numpy.float32)
    multiply = cupy.RawKernel(MATMUL, "matmul")
    figures["matmul"] = time_kernel(lambda: multiply((n // 16, n // 16), (16, 16), (a, b, c, n)))
    checks["matmul"] = float(c[1, 2])
    n = sizes["mandelbrot"]
    out = cupy.empty((n, n), numpy.int32)
    draw = cupy.RawKernel(MANDELBROT, "mandelbrot")
    figures["mandelbrot"] = time_kernel(lambda: draw((n // 16, n // 16), (16, 16), (out, n)))
    checks["mandelbrot"] = int(out.sum()) // (n * n // 64)


def main() -> None:
    """Prints the figures asked for."""
    figures, checks = {"import": IMPORT_MS}, {}
    arrays = [cupy.asarray(numpy.ones(32, numpy.float32)) for _ in range(3)]
    wait()
    first, second = cupy.RawKernel(MIXED, "mixed"), cupy.RawKernel(ADD, "add")
    figures["first kernel"] = call_ms(lambda: first((1,), (32,), (arrays[0], 3, 2.0)), wait)
    figures["second kernel"] = call_ms(lambda: second((1,), (32,), tuple(arrays)), wait)
    if sys.argv[1] == "all":
        measure_launches(figures, arrays)
        measure_kernels(figures, checks, json.loads(sys.argv[2]))
    print(json.dumps({"figures": figures, "checks": checks}))


if __name__ == "__main__":
    main()
