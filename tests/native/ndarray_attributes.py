# `T`, real and imaginary parts, the dtype, item(), `...`, new axes, and slices in steps that vary; no object is made of any
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

GRID = np.arange(60.0 * 40.0).reshape(60, 40)
WAVES = np.arange(50.0) - 2j * np.arange(50.0)
TYPE = GRID.dtype


def work(n):
    grid, waves, wanted = GRID, WAVES, TYPE
    total = 0.0
    for i in range(n):  # kiln-native
        total += grid.T[3, i % 60] + waves.real[i % 50] * waves.imag[7] + grid.real[0, 1]
        waves.imag[i % 50] = -1.5
        total += grid.item(i % 60, 5) + grid.item(i % 2400) + grid[1, 2].item()
        total += grid[..., 3][i % 60] + grid[:, None][2, 0, 5] + grid[None, ..., 7][0, 1]
        total += len(grid[:: i % 3 + 1]) + grid[i % 5 :: i % 7 + 1, 2][1]
        if grid.dtype is wanted:
            total += 1
    return float(total)


drive(work)
