# Arrays that share memory under several names, offsets, steps and dtypes: each store is seen by the very next read.
# kiln-test: needs=numpy
import zlib

import numpy as np
from _arrays import digest, exact, fresh
from numpy.lib.stride_tricks import as_strided

N = 3400


def saxpy(x, y, out):
    for i in range(len(out)):
        out[i] = x[i] * 3 + y[i]


def shifted_sum(a, out):
    for i in range(1, len(out) - 1):
        out[i] = a[i - 1] + a[i] + a[i + 1]


def accumulated(a, total):
    """The total may be one of the elements that are read."""
    for i in range(len(a)):
        total[0] += a[i]


def counted(values, bins):
    """The bins may be the values themselves."""
    for i in range(len(values)):
        bins[values[i] % len(bins)] += 1


def two_stores(a, b, k):
    for i in range(len(b)):
        a[i] = i
        b[i] = k
        a[i] = a[i] + b[i]


def copied_row_by_row(source, target):
    for i in range(len(target)):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j] + 1


def kept_element(a, b):
    """An element that was read before the loop and in it."""
    first = a[0]
    t = 0
    for i in range(len(b)):
        b[i] = i % 50
        t += a[0] - first
    return t


def checksum(memory):
    return f"{zlib.crc32(memory.tobytes()):08x}"


for dtype in ("float64", "float32", "int32", "uint8"):
    for shift in (0, 1, 2, 3, 8, 31, 64, -1, -2, -5, -8):
        memory = (np.arange(3 * N) % 5).astype(dtype)
        middle = memory[N : 2 * N]
        moved = memory[N + shift : 2 * N + shift]
        with np.errstate(over="ignore", invalid="ignore"):
            for function, arguments in ((saxpy, (middle, middle[::-1], moved)), (saxpy, (middle, moved, moved)),
                                        (shifted_sum, (middle, moved))):
                memory[:] = (np.arange(3 * N) % 5).astype(dtype)
                (function if shift % 2 else fresh(function))(*arguments)
                print(dtype, shift, function.__name__, checksum(memory))
for dtype in ("float64", "int64", "int32", "float32"):
    memory = (np.arange(N) % 7).astype(dtype)
    for total in (memory[:1], memory[N // 2 :], memory[-1:], np.zeros(1, dtype), memory[5::9]):
        with np.errstate(over="ignore"):
            fresh(accumulated)(memory, total)
        print(dtype, *digest(memory)[2:], exact(total[0]))
for dtype in ("int64", "int32", "uint16"):
    values = (np.arange(N) * 7 % 300).astype(dtype)
    for bins in (np.zeros(16, np.int64), values[:16], values[100:400:10], values[::-1]):
        fresh(counted)(values, bins)
        print(dtype, *digest(bins)[2:], checksum(values))
WIDE, NARROW = ("float64", "int64", "uint64"), ("int32", "float32", "int16", "uint8", "bool")
for wide in WIDE:
    for narrow in NARROW:
        memory = np.zeros(8 * N + 16, np.uint8)
        one = memory[8 : 8 + 8 * N].view(wide)
        for offset in (0, 8, 3):
            other = memory[offset : offset + np.dtype(narrow).itemsize * N].view(narrow)
            fresh(two_stores)(one, other, 1)
            print(wide, narrow, offset, checksum(memory), exact(fresh(kept_element)(one[:1], other)))
            fresh(two_stores)(other[:100], one[:100], 2)
            print(checksum(memory))
grid = np.arange(4900.0).reshape(70, 70)
for source, target in ((grid, grid.T), (grid[1:], grid[:-1]), (grid[:-1], grid[1:]), (grid[:, 1:], grid[:, :-1]),
                       (grid, grid[::-1]), (as_strided(grid, (69, 69), (8, 560)), grid[1:, 1:]),
                       (grid[:40], as_strided(grid, (40, 70), (0, 8))), (as_strided(grid, (60, 60), (8, 8)), grid[:60, :60])):
    fresh(copied_row_by_row)(source, target)
    print(target.shape, target.strides, checksum(grid))
