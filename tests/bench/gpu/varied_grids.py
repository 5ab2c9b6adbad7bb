"""Measured kernels over arrays of more dimensions: stencils, images, transposes, matrices, all pairs. Cases as in varied_arrays.py."""

import math

import numpy as np
from numba import cuda, float32, float64, int32

import kernels
from varied_arrays import floats, integers

TILE = 16
PADDED = TILE + 1
WEIGHTS = (np.arange(25, dtype=np.float32) / 300).reshape(5, 5)


def side(n, power=2):
    """How long the sides of a square, or a cube, of about n elements are; a multiple of 32."""
    return max(round(n ** (1 / power)) // 32 * 32, 32)


def matrix(n, dtype=np.float32):
    return floats(n * n, dtype).reshape(n, n)


def tiles(n):
    return (n + TILE - 1) // TILE, (n + TILE - 1) // TILE


def plain_transpose(a, out):
    column, row = cuda.grid(2)
    if row < a.shape[0] and column < a.shape[1]:
        out[column, row] = a[row, column]


def tiled_transpose(a, out):
    tile = cuda.shared.array((TILE, PADDED), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
    if by + ty < a.shape[0] and bx + tx < a.shape[1]:
        tile[ty, tx] = a[by + ty, bx + tx]
    cuda.syncthreads()
    if bx + ty < out.shape[0] and by + tx < out.shape[1]:
        out[bx + ty, by + tx] = tile[tx, ty]


def heat(old, new):
    x, y, z = cuda.grid(3)
    if 0 < x < old.shape[2] - 1 and 0 < y < old.shape[1] - 1 and 0 < z < old.shape[0] - 1:
        total = old[z - 1, y, x] + old[z + 1, y, x] + old[z, y - 1, x] + old[z, y + 1, x] + old[z, y, x - 1] + old[z, y, x + 1]
        new[z, y, x] = old[z, y, x] + 0.1 * (total - 6.0 * old[z, y, x])


def life(old, new):
    column, row = cuda.grid(2)
    rows, columns = old.shape
    if row < rows and column < columns:
        around = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dx != 0 or dy != 0:
                    around += old[(row + dy) % rows, (column + dx) % columns]
        new[row, column] = 1 if around == 3 or (around == 2 and old[row, column] == 1) else 0


def convolve(image, out):
    weights = cuda.const.array_like(WEIGHTS)
    column, row = cuda.grid(2)
    if 2 <= row < image.shape[0] - 2 and 2 <= column < image.shape[1] - 2:
        total = float32(0)
        for i in range(5):
            for k in range(5):
                total += weights[i, k] * image[row + i - 2, column + k - 2]
        out[row, column] = total


def grey(image, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = 0.299 * image[row, column, 0] + 0.587 * image[row, column, 1] + 0.114 * image[row, column, 2]


def resize(image, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        y = float32(row) * float32(image.shape[0] - 1) / float32(out.shape[0])
        x = float32(column) * float32(image.shape[1] - 1) / float32(out.shape[1])
        top, left = int32(math.floor(y)), int32(math.floor(x))
        dy, dx = y - float32(top), x - float32(left)
        above = image[top, left] * (float32(1) - dx) + image[top, left + 1] * dx
        below = image[top + 1, left] * (float32(1) - dx) + image[top + 1, left + 1] * dx
        out[row, column] = above * (float32(1) - dy) + below * dy


def julia(out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        z = complex(3.0 * column / out.shape[1] - 1.5, 3.0 * row / out.shape[0] - 1.5)
        c = complex(-0.8, 0.156)
        count = 0
        while count < 100 and z.real * z.real + z.imag * z.imag < 4.0:
            z = z * z + c
            count += 1
        out[row, column] = count


def tiled_product(a, b, c):
    x = cuda.shared.array((TILE, TILE), float64)
    y = cuda.shared.array((TILE, TILE), float64)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = 0.0
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        x[ty, tx] = a[row, tile * TILE + tx] if row < a.shape[0] and tile * TILE + tx < a.shape[1] else 0.0
        y[ty, tx] = b[tile * TILE + ty, column] if column < b.shape[1] and tile * TILE + ty < b.shape[0] else 0.0
        cuda.syncthreads()
        for k in range(TILE):
            total += x[ty, k] * y[k, tx]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total


def integer_product(a, b, c):
    column, row = cuda.grid(2)
    if row < c.shape[0] and column < c.shape[1]:
        total = 0
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        c[row, column] = total


def rows_by_warps(a, x, out):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row < a.shape[0]:
        total = float32(0)
        for k in range(lane, a.shape[1], 32):
            total += a[row, k] * x[k]
        for step in (16, 8, 4, 2, 1):
            total += cuda.shfl_xor_sync(0xFFFFFFFF, total, step)
        if lane == 0:
            out[row] = total


def sparse_product(starts, columns, values, x, out):
    row = cuda.grid(1)
    if row < out.size:
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        out[row] = total


def butterfly(values, half, out):
    i = cuda.grid(1)
    if i < values.size // 2:
        group = i // half
        place = i % half
        low = group * 2 * half + place
        angle = float32(-3.14159265) * float32(place) / float32(half)
        factor = complex(math.cos(angle), math.sin(angle)) * values[low + half]
        out[low] = values[low] + factor
        out[low + half] = values[low] - factor


def nearest(points, centres, out):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best = float32(1e30)
        for k in range(centres.shape[0]):
            distance = float32(0)
            for d in range(points.shape[1]):
                difference = points[i, d] - centres[k, d]
                distance += difference * difference
            if distance < best:
                best = distance
                out[i] = k


def edit_distance(words, others, out):
    i = cuda.grid(1)
    row = cuda.local.array(17, int32)
    if i < out.size:
        for k in range(17):
            row[k] = k
        for a in range(16):
            diagonal = row[0]
            row[0] = a + 1
            for b in range(16):
                above = row[b + 1]
                cost = 0 if words[i, a] == others[i, b] else 1
                row[b + 1] = min(min(above + 1, row[b] + 1), diagonal + cost)
                diagonal = above
        out[i] = row[16]


def square_case(kernel, dtype=np.float32, results=1):
    """A case of square arrays with a thread for each element; the last one is the result."""
    def prepare(n):
        length = side(n)
        return tiles(length), (TILE, TILE), [matrix(length, dtype) for _ in range(results + 1)], results
    return kernel, prepare


def product_case(kernel, dtype, divisor):
    """A case of three square matrices, which are smaller as there is more to do."""
    def prepare(n):
        length = side(n // divisor)
        whole = (np.arange(length * length) % 7).astype(dtype).reshape(length, length)
        return tiles(length), (TILE, TILE), [whole, whole.T.copy(), np.zeros((length, length), dtype)], 2
    return kernel, prepare


def prepare_heat(n):
    length = side(n // 2, 3)
    cube = floats(length ** 3, np.float64).reshape(length, length, length)
    return (length // 32, length // 4, length // 2), (32, 4, 2), [cube, cube.copy()], 1


def prepare_sparse(n):
    rows = n // 64
    columns = integers(rows * 16, below=rows)
    return rows // 256, 256, [np.arange(0, rows * 16 + 1, 16).astype(np.int32), columns, floats(rows * 16, np.float64), floats(rows, np.float64), np.zeros(rows)], 4


def prepare_images(n):
    length = side(n // 4)
    image = integers(length * length * 3, np.uint8, 256).reshape(length, length, 3)
    return tiles(length), (TILE, TILE), [image, np.zeros((length, length), np.uint8)], 1


def prepare_life(n):
    length = side(n // 4)
    cells = integers(length * length, np.uint8, 2).reshape(length, length)
    return tiles(length), (TILE, TILE), [cells, cells.copy()], 1


def prepare_rows(n):
    length = side(n)
    return length // 8, 256, [matrix(length), floats(length), np.zeros(length, np.float32)], 2


def prepare_butterfly(n):
    values = (floats(n // 2) + 1j * floats(n // 2, divisor=1013)).astype(np.complex64)
    return n // 4 // 256, 256, [values, 1024, np.zeros_like(values)], 2


def prepare_words(n):
    count = n // 64
    words = [integers(count * 16, np.uint8, below).reshape(count, 16) for below in (19, 23)]
    return count // 256, 256, [*words, np.zeros(count, np.int32)], 2


def prepare_bodies(n):
    count = side(n) * 2
    x, y, z = floats(count), floats(count, divisor=1013), floats(count, divisor=1019)
    return count // 256, 256, [x, y, z, np.zeros(count, np.float32)], 3


CASES = [
    ("transpose", *square_case(plain_transpose)),
    ("transpose, shared memory", *square_case(tiled_transpose)),
    ("stencil of 5, 2-d", *square_case(kernels.stencil)),
    ("stencil of 7, 3-d float64", heat, prepare_heat),
    ("game of life, uint8", life, prepare_life),
    ("convolution 5 x 5, constant array", *square_case(convolve)),
    ("colours to grey", grey, prepare_images),
    ("bilinear resize", resize, lambda n: (tiles(side(n)), (TILE, TILE), [matrix(side(n // 4)), matrix(side(n))], 1)),
    ("Julia set, complex128", julia, lambda n: (tiles(side(n // 4)), (TILE, TILE), [np.zeros((side(n // 4),) * 2, np.int32)], 0)),
    ("matmul, shared memory", *product_case(kernels.matmul, np.float32, 8)),
    ("matmul", *product_case(kernels.plain_matmul, np.float32, 16)),
    ("matmul float64, shared memory", *product_case(tiled_product, np.float64, 32)),
    ("matmul int64", *product_case(integer_product, np.int64, 32)),
    ("matrix by vector, warps", rows_by_warps, prepare_rows),
    ("sparse matrix by vector", sparse_product, prepare_sparse),
    ("FFT, a stage", butterfly, prepare_butterfly),
    ("nearest of 32 centres", nearest, lambda n: (n // 16 // 256, 256, [floats(n // 2).reshape(-1, 8), floats(256, divisor=101).reshape(32, 8), np.zeros(n // 16, np.int32)], 2)),
    ("edit distances", edit_distance, prepare_words),
    ("n-body", kernels.bodies, prepare_bodies),
]
