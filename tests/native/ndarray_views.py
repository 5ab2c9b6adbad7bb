# rows of contiguous and of turned arrays, slices with ends that vary, elements of rows, a loop over a row; no object is made of any
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

GRID = np.arange(200.0 * 100.0).reshape(200, 100)


def work(n):
    grid, turned = GRID, GRID.T
    total = 0.0
    for i in range(n):  # kiln-native
        row = grid[i % 200]
        window = row[i % 90 : i % 90 + 3]
        for k in range(len(window)):
            total += window[k]
        for x in turned[i % 100][:2]:
            total += x
        total += grid[i % 200][i % 100] - turned[-1 - i % 100][-1] + len(row[5:]) + row[1:].shape[0]
        row[0] = window[0]
    return total


drive(work)
