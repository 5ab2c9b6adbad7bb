"""Heat in a square plate whose upper edge is hot: each block keeps its part of the plate, with a rim, in shared memory."""

import numpy as np
from numba import cuda, float64

SIDE = 16
RIM = SIDE + 2


@cuda.jit
def step(old, new):
    tile = cuda.shared.array((RIM, RIM), float64)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x + 1, cuda.threadIdx.y + 1
    rows, columns = old.shape
    inside = x < rows and y < columns
    if inside:
        tile[tx, ty] = old[x, y]
        if tx == 1 and x > 0:
            tile[0, ty] = old[x - 1, y]
        if tx == SIDE and x + 1 < rows:
            tile[tx + 1, ty] = old[x + 1, y]
        if ty == 1 and y > 0:
            tile[tx, 0] = old[x, y - 1]
        if ty == SIDE and y + 1 < columns:
            tile[tx, ty + 1] = old[x, y + 1]
    cuda.syncthreads()
    if inside:
        if 0 < x < rows - 1 and 0 < y < columns - 1:
            around = tile[tx - 1, ty] + tile[tx + 1, ty] + tile[tx, ty - 1] + tile[tx, ty + 1]
            new[x, y] = 0.25 * around
        else:
            new[x, y] = tile[tx, ty]


def main(size: int = 200, steps: int = 500) -> None:
    plate = np.zeros((size, size))
    plate[0, :] = 100.0
    old, new = cuda.to_device(plate), cuda.device_array_like(plate)
    grid = ((size + SIDE - 1) // SIDE,) * 2
    for _ in range(steps):
        step[grid, (SIDE, SIDE)](old, new)
        old, new = new, old
    result = old.copy_to_host()

    expected = plate
    for _ in range(steps):
        after = expected.copy()
        after[1:-1, 1:-1] = 0.25 * (expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:])
        expected = after
    print("as NumPy has it:", np.allclose(result, expected))
    for row in range(0, 40, 8):
        print(" ".join(f"{value:5.1f}" for value in result[row, :: size // 10]))


main()
