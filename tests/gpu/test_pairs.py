"""Kernels that GPUs run with two blocks in one, where a launch is large enough: what they compute is what they say."""

import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda

SIZE = (1 << 21) - 77  # more threads than two GPUs' worth; the last block is not full


class Pairs(unittest.TestCase):
    def check(self, kernel, expected, *arrays, shape=None, block=256) -> None:
        """With an even number of blocks, and an odd one."""
        for more in 0, 1:
            out = np.full(shape or SIZE, -7.0, np.float32)
            sides = reversed(out.shape)
            block_sides = block if isinstance(block, tuple) else (block,)
            grid = [-(-side // length) for side, length in zip(sides, block_sides)]
            grid[0] += grid[0] % 2 + more
            cuda.jit(kernel)[tuple(grid), block](*arrays, out)
            np.testing.assert_array_equal(out, expected)

    def setUp(self) -> None:
        self.a = (np.arange(SIZE) % 1013).astype(np.float32)
        self.b = (np.arange(SIZE) % 997).astype(np.float32)

    def test_guards(self) -> None:
        def guarded(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = a[i] + b[i]

        def leaving(a, b, out):
            i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
            if i >= out.size:
                return
            out[i] = a[i] + b[i]

        def leaving_twice(a, b, out):
            i = cuda.grid(1)
            if i >= out.size:
                return
            if a[i] < 100:
                return
            out[i] = a[i] + b[i]

        def both(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = a[i]
            if i < out.size and b[i] > 50:
                out[i] = out[i] + b[i]

        self.check(guarded, self.a + self.b, self.a, self.b)
        self.check(leaving, self.a + self.b, self.a, self.b)
        self.check(leaving_twice, np.where(self.a < 100, -7, self.a + self.b), self.a, self.b)
        self.check(both, np.where(self.b > 50, self.a + self.b, self.a), self.a, self.b)

    def test_conditions(self) -> None:
        def choose(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                x = a[i]
                if x > b[i]:
                    x = x - b[i] if x > 500 else b[i]
                elif x == 3 or x == 4 or b[i] == 5:
                    x = 1
                out[i] = x

        a, b = self.a, self.b
        low = np.where((a == 3) | (a == 4) | (b == 5), 1, a)
        self.check(choose, np.where(a > b, np.where(a > 500, a - b, b), low), a, b)

    def test_places(self) -> None:
        def place(out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = cuda.blockIdx.x % 64 + cuda.threadIdx.x / 256 + (1000 if cuda.gridDim.x * cuda.blockDim.x == cuda.gridsize(1) else 0)

        i = np.arange(SIZE)
        self.check(place, (i // 256 % 64 + i % 256 / 256 + 1000).astype(np.float32))

    def test_two_dimensions(self) -> None:
        def turn(a, out):
            column, row = cuda.grid(2)
            if row < out.shape[0] and column < out.shape[1]:
                out[row, column] = a[column, row] + a[column, (row + 1) % a.shape[1]]

        a = (np.arange(1500 * 1490) % 1013).astype(np.float32).reshape(1500, 1490)
        self.check(turn, (a + np.roll(a, -1, 1)).T, a, shape=(1490, 1500), block=(16, 16))

    def test_records(self) -> None:
        points = np.zeros(SIZE, [("x", np.float32), ("hits", np.int32)])
        points["x"] = self.a
        given = points.copy()

        @cuda.jit
        def move(points):
            i = cuda.grid(1)
            if i < points.size:
                points[i].x *= 2
                if points[i].x > 1000:
                    points[i].hits += 1

        move[(SIZE + 255) // 256 + (SIZE + 255) // 256 % 2, 256](points)
        np.testing.assert_array_equal(points["x"], given["x"] * 2)
        np.testing.assert_array_equal(points["hits"], given["x"] * 2 > 1000)


if __name__ == "__main__":
    main()
