# Augmented assignments to elements: what is computed, what is cast back, and what can't be.
# kiln-test: needs=numpy
import numpy as np
from _arrays import NUMBERS, digest, fresh, heard

COUNT = 4000


def add_and_multiply(a, values):
    for i in range(COUNT):
        a[i % len(a)] += values[i % len(values)]
        a[i % 7] -= values[(i + 1) % len(values)]
        a[-1 - i % 5] *= values[i % len(values)]


def divide(a, values):
    for i in range(COUNT):
        a[i % len(a)] /= values[i % len(values)]


def floor_divide(a, values):
    for i in range(COUNT):
        a[i % len(a)] //= values[i % len(values)]
        a[i % 9] %= values[(i + 1) % len(values)]


def power(a, values):
    for i in range(COUNT):
        a[i % len(a)] **= values[i % len(values)]


def bits(a, values):
    for i in range(COUNT):
        a[i % len(a)] ^= values[i % len(values)]
        a[i % len(a)] |= values[(i + 1) % len(values)]
        a[i % len(a)] &= values[(i + 2) % len(values)]


def shifts(a, values):
    for i in range(COUNT):
        a[i % len(a)] <<= values[i % len(values)] % 4
        a[i % len(a)] >>= values[(i + 1) % len(values)] % 3


ALL = (add_and_multiply, divide, floor_divide, power, bits, shifts)
MIXED = {
    "python ints": ([3, 5, 2], ("int8", "uint8", "int32", "int64", "uint64", "float32", "float64")),
    "python floats": ([0.5, 2.0, 1.25], ("int64", "float16", "float32", "float64", "complex64")),
    "bools": ([True, True], ("bool", "int64", "float64")),
    "float64": (np.array([0.5, 2.0]), ("int32", "float32")),
}


def show(label, dtype, values):
    for function in ALL:
        a = (np.arange(40) + 1).astype(dtype)
        result, warned = heard(fresh(function), a, values)
        print(dtype, label, function.__name__, result, warned[:3], *digest(a)[2:])


for dtype in NUMBERS:
    show("of its dtype", dtype, np.array([1, 2, 3], dtype))
for name, (values, dtypes) in MIXED.items():
    for dtype in dtypes:
        show(name, dtype, values)


def grid_moves(grid, rounds):
    """Each element once in each round, the row found anew or kept."""
    rows, columns = grid.shape
    for r in range(rounds):
        for i in range(rows):
            row = grid[i]
            for j in range(columns):
                grid[i, j] += r
                row[j] -= grid[i - 1, j]
                grid[i][j - 1] *= 2
    return grid


print(*digest(grid_moves(np.ones((20, 20), np.int64), 12).ravel()))
print(*digest(fresh(grid_moves)(np.ones((20, 20), np.float32), 12).ravel()))
