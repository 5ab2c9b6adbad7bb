# elements at positions that are tuples of ints: of a list of places, and one that is a name
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

GRID = np.arange(50.0 * 40.0).reshape(50, 40)
BLOCK = np.zeros((3, 4, 5), np.int32)
PLACES = [(i * 7 % 50, i * 3 % 40) for i in range(100)]


def work(n):
    grid, block, places, corner = GRID.copy(), BLOCK.copy(), PLACES, (2, 3, -1)
    total = 0.0
    for i in range(n):  # kiln-native
        place = places[i % 100]
        total += grid[place]
        grid[place] = i
        block[corner] = i % 9
        total += block[corner] + grid[places[i % 9]]
    return float(total)


drive(work)
