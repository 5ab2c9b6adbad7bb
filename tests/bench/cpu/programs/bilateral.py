"""A bilateral filter: a window around each pixel, weights by distance and by difference, an exponential each."""

import functools
import math
import sys

import numpy as np

BENCH = {"group": "array", "size": 70, "small": 8, "kernels": ["bilateral"], "numba_tolerance": 1e-9}


RADIUS = 2


@functools.cache
def image(n):
    return np.random.RandomState(14).uniform(0.0, 255.0, (n, n))


def bilateral(image, out, radius, spatial, tonal):
    rows, columns = image.shape
    for y in range(rows):
        for x in range(columns):
            centre = image[y, x]
            total = weights = 0.0
            for v in range(max(0, y - radius), min(rows, y + radius + 1)):
                for u in range(max(0, x - radius), min(columns, x + radius + 1)):
                    near = ((v - y) ** 2 + (u - x) ** 2) * spatial
                    weight = math.exp(-near - (image[v, u] - centre) ** 2 * tonal)
                    total += weight * image[v, u]
                    weights += weight
            out[y, x] = total / weights


def run(n):
    out = np.empty((n, n))
    bilateral(image(n), out, RADIUS, 1.0 / 8.0, 1.0 / 1800.0)
    return out


def summary(array):
    return repr(float(array.sum()))


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
