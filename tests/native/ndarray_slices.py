# slices with steps, of several axes, columns, negative steps, elements of those, a loop over a column; no object is made of any
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

GRID = np.arange(200.0 * 100.0).reshape(200, 100)


def work(n):
    grid = GRID
    total = 0.0
    for i in range(n):  # kiln-native
        every = grid[i % 200, ::2]
        column = grid[1:, i % 100]
        block = grid[i % 90 : i % 90 + 3, 5:9:3]
        back = every[::-1]
        for k in range(len(block)):
            total += block[k, 1] + back[k]
        for x in grid[i % 50 : i % 50 + 3, 7]:
            total += x
        total += column[i % 190] + len(grid[::-7]) + grid[:, :][i % 200, 3] + back.shape[0]
        every[0] = column[-1]
    return total


drive(work)
