"""Sobel's edges of an image of bytes: eight neighbours by constant offsets, ints, a square root, a clamp."""

import functools
import math
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 300, "small": 12, "kernels": ["sobel"]}


@functools.cache
def image(n):
    return np.random.RandomState(2).randint(0, 256, (n, n), np.int32)


def sobel(image, edges):
    rows, columns = image.shape
    for y in range(1, rows - 1):
        for x in range(1, columns - 1):
            gx = image[y - 1, x + 1] + 2 * image[y, x + 1] + image[y + 1, x + 1]
            gx -= image[y - 1, x - 1] + 2 * image[y, x - 1] + image[y + 1, x - 1]
            gy = image[y + 1, x - 1] + 2 * image[y + 1, x] + image[y + 1, x + 1]
            gy -= image[y - 1, x - 1] + 2 * image[y - 1, x] + image[y - 1, x + 1]
            edges[y, x] = min(255, int(math.sqrt(gx * gx + gy * gy)))


def run(n):
    edges = np.zeros((n, n), np.uint8)
    sobel(image(n), edges)
    return edges


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
