# Elements of NumPy arrays read and written in Python loops: dtypes, negative indices, views, IndexError, scalars.
# kiln-test: needs=numpy
import numpy as np


def total(a):
    t = a.dtype.type(0)
    for i in range(len(a)):
        t += a[i]
    return t, type(t).__name__


def stencil(grid, rounds):
    rows, columns = grid.shape
    out = grid.copy()
    for _ in range(rounds):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                out[i, j] = 0.25 * (grid[i - 1, j] + grid[i + 1, j] + grid[i][j - 1] + grid[i, j + 1])
        grid, out = out, grid
    return float(grid.sum()).hex(), grid[-2, -2]


def out_of_bounds(a, count):
    errors = 0
    for i in range(count):
        try:
            a[i % (len(a) + 3)] += 1
        except IndexError as error:
            errors += 1
            text = str(error)
    return errors, text, a[:4].tolist()


def strided(a):
    view = a[::-3]
    t = 0
    for i in range(view.shape[0]):
        t += int(view[i])
        view[i] = 0
    return t, a[:7].tolist()


def histogram(count):
    bins = np.zeros(16, dtype=np.int32)
    for i in range(count):
        bins[i * 7919 % 16] += i & 3
    return bins.tolist(), bins.dtype.name


def iteration(a):
    t = 0.0
    for x in a:
        t += x * 2
    for i, row in enumerate(a.reshape(-1, 10)):
        t += row[i % 10]
    return float(t).hex()


for dtype in ("int8", "uint8", "int32", "int64", "float32", "float64", "bool", "complex128"):
    with np.errstate(over="ignore"):
        print(dtype, total((np.arange(6000) % 120).astype(dtype)) if dtype != "bool" else "skipped")
print(stencil(np.linspace(0.0, 1.0, 900).reshape(30, 30), 8))
print(out_of_bounds(np.arange(5), 6000), strided(np.arange(6000)), histogram(9000), iteration(np.arange(6000) / 7))
