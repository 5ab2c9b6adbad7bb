"""RGB to grey of a strip of a 1080p image (1080 rows are all of it): one pass over bytes with float weights."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 40, "small": 2, "kernels": ["to_grey"]}


COLUMNS = 1920


@functools.cache
def image(rows):
    return np.random.RandomState(1).randint(0, 256, (rows, COLUMNS, 3), np.uint8)


def to_grey(rgb, grey):
    rows, columns = grey.shape
    for y in range(rows):
        for x in range(columns):
            grey[y, x] = 0.299 * rgb[y, x, 0] + 0.587 * rgb[y, x, 1] + 0.114 * rgb[y, x, 2]


def run(rows):
    grey = np.empty((rows, COLUMNS), np.uint8)
    to_grey(image(rows), grey)
    return grey


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
