# elements at two indices, of contiguous and of turned arrays; shape, size and ndim
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

GRID = np.arange(200.0 * 100.0).reshape(200, 100)


def work(n):
    grid, turned = GRID, GRID.T
    rows, columns = grid.shape
    total = 0.0
    for i in range(n):  # kiln-native
        y, x = i // columns % rows, i % columns
        total += grid[y, x] - turned[x, y - 1] + grid.ndim + grid.size - len(turned)
    return total


drive(work)
