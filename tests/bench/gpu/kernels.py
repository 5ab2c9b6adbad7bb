"""The kernels that are measured, as a script for numba.cuda has them. Imported by the worker, after numba."""

from numba import cuda, float32

TILE = 16
LIMIT = 64


def nothing():
    pass


def three(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def mixed(a, n, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = n * x


def matmul(a, b, c):
    x = cuda.shared.array((TILE, TILE), float32)
    y = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for tile in range(a.shape[1] // TILE):
        x[ty, tx] = a[row, tile * TILE + tx]
        y[ty, tx] = b[tile * TILE + ty, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += x[ty, k] * y[k, tx]
        cuda.syncthreads()
    c[row, column] = total


def mandelbrot(out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        re = float32(column) * float32(3.0 / 4096) - float32(2)
        im = float32(row) * float32(3.0 / 4096) - float32(1.5)
        x = float32(0)
        y = float32(0)
        count = 0
        while count < LIMIT and x * x + y * y < float32(4):
            x, y = x * x - y * y + re, float32(2) * x * y + im
            count += 1
        out[row, column] = count
