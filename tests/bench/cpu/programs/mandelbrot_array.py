"""The Mandelbrot set into an array of ints: float loops of varying length, a store for each point."""

import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 220, "small": 10, "kernels": ["escape", "mandelbrot"]}


DEPTH = 200


def escape(cr, ci, depth):
    zr = zi = 0.0
    for step in range(depth):
        rr, ii = zr * zr, zi * zi
        if rr + ii > 4.0:
            return step
        zr, zi = rr - ii + cr, 2.0 * zr * zi + ci
    return depth


def mandelbrot(counts, depth):
    rows, columns = counts.shape
    for y in range(rows):
        for x in range(columns):
            counts[y, x] = escape(3.0 * x / columns - 2.0, 2.5 * y / rows - 1.25, depth)


def run(n):
    counts = np.empty((n, n), np.int32)
    mandelbrot(counts, DEPTH)
    return counts


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
