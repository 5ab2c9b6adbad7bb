"""The kernels that are measured, as a script for numba.cuda has them. Imported by the worker, after numba."""

import math

from numba import cuda, float32

TILE = 16
LIMIT = 64
BLOCK = 256


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


def sixteen(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    at = cuda.grid(1)
    if at < a.size:
        a[at] = b[at] + p[at]


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


def reduction(a, out):
    parts = cuda.shared.array(BLOCK, float32)
    thread = cuda.threadIdx.x
    mine = float32(0)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        mine += a[i]
    parts[thread] = mine
    cuda.syncthreads()
    step = BLOCK // 2
    while step > 0:
        if thread < step:
            parts[thread] += parts[thread + step]
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        out[cuda.blockIdx.x] = parts[0]


def stencil(old, new):
    column, row = cuda.grid(2)
    if 0 < row < old.shape[0] - 1 and 0 < column < old.shape[1] - 1:
        around = old[row - 1, column] + old[row + 1, column] + old[row, column - 1] + old[row, column + 1]
        new[row, column] = old[row, column] + float32(0.1) * (around - float32(4) * old[row, column])


def bodies(x, y, z, out):
    i = cuda.grid(1)
    if i < x.size:
        total = float32(0)
        for j in range(x.size):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            dz = z[j] - z[i]
            near = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + float32(0.01))
            total += dx * near * near * near
        out[i] = total


def plain_matmul(a, b, c):
    column, row = cuda.grid(2)
    if row < c.shape[0] and column < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        c[row, column] = total
