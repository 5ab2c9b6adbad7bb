# stores to rows, columns and slices: a number, another row, a part of another array, one that is broadcast, one that overlaps
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

GRID = np.arange(200.0 * 100.0).reshape(200, 100)
ROW = np.arange(100.0)
COUNTS = np.zeros((4, 50), np.int32)
WAVES = np.zeros((3, 20), np.complex128)


def work(n):
    grid, row, counts, waves = GRID, ROW, COUNTS, WAVES
    for i in range(n):  # kiln-native
        grid[i % 200] = row
        grid[i % 50 + 100] = grid[i % 70]
        grid[:, i % 100] = 0.5
        row[:] = grid[i % 200]
        row[3:7] = i
        row[1:] = row[:-1]
        counts[i % 4, ::3] = i % 1000
        counts[1:, 2:5] = counts[0, :3]
        waves[i % 3, 1:] = 0.5 - 2j
        waves[0] = waves[2]
        row.fill(i % 7)
    return float(grid[3, 4] + row[5] + counts[1, 3] + waves[0, 2].real)


drive(work)
