# kiln-test: needs=numpy
"""Loops over elements of two to four places in a row, taken by number: pixels and points, of just so many places and of others."""

import zlib

import numpy as np


def grey(rgb, out):
    rows, columns = out.shape
    for y in range(rows):
        for x in range(columns):
            out[y, x] = 0.299 * rgb[y, x, 0] + 0.587 * rgb[y, x, 1] + 0.114 * rgb[y, x, 2]


def swap(image):
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            red = image[y, x, 0]
            image[y, x, 0] = image[y, x, 2]
            image[y, x, 2] = image[y, x, 1]
            image[y, x, 1] = red


def lengths(points, out):
    for i in range(len(points)):
        out[i] = (points[i, 0] * points[i, 0] + points[i, 1] * points[i, 1]) ** 0.5


def mixed(four, out):
    for i in range(len(four)):
        out[i, 0] = four[i, 3] - four[i, 0]
        out[i, 1] = four[i, 2] + four[i, 1]


def from_the_end(points, out):
    for i in range(len(points)):
        out[i] = points[i, -1] - points[i, -2] + points[i, 0] - points[i, 1]


def total(points):
    s = 0.0
    for i in range(len(points)):
        s += points[i, 0] * points[i, 1]
    return s


def told(function, *arguments):
    try:
        return function(*arguments)
    except (IndexError, ValueError, FloatingPointError) as error:
        return type(error).__name__, str(error), error.__traceback__.tb_next.tb_lineno - function.__code__.co_firstlineno


def image(*shape, dtype=np.uint8):
    return (np.arange(np.prod(shape)) * 7919 % 251).reshape(shape).astype(dtype)


def crc(array):
    return f"{array.dtype} {array.shape} {zlib.crc32(np.ascontiguousarray(array).tobytes()):08x}"


for _ in range(3):  # the places that code is compiled for, then others
    for places in (3, 3, 4, 5, 3, 2):
        for dtype in (np.uint8, np.float64, np.int32):
            rgb, out = image(6, 400, places, dtype=dtype), np.zeros((6, 400), np.uint8)
            print("grey", places, told(grey, rgb, out), crc(out))
            print("swap", places, told(swap, rgb), crc(rgb))
    for places in (2, 3, 2, 1):
        points, out = image(900, places, dtype=np.float64), np.zeros(900)
        print("lengths", places, told(lengths, points, out), crc(out))
        print("from the end", places, told(from_the_end, points, out), crc(out))
        print("total", places, told(total, points))
    for places in (4, 5, 4, 3):
        four, out = image(900, places, dtype=np.int64), np.zeros((900, 2), np.int64)
        print("mixed", places, told(mixed, four, out), crc(out))

big = image(6, 400, 8)
out = np.zeros((6, 400), np.uint8)
for part in (big[:, :, 1:4], big[:, :, ::3], big[::-1, ::-1, 2:5], big[:, 100:, 5:], big[:0, :, :3], np.broadcast_to(big[:1, :1, :3], (6, 400, 3))):
    out[:] = 0
    print("view", part.shape, told(grey, part, out[: len(part), : part.shape[1]]), crc(out))
lent = image(4, 400, 3)
print("out in what is read", told(grey, lent, lent[:, :, 1]), crc(lent))
print("and moved", told(grey, lent[:, 1:], lent[:, :-1, 0]), crc(lent))
hot = image(2, 400, 3, dtype=np.float64)
hot[1, 333, 1] = np.nan
hot[0, 50, 2] = 1e300
with np.errstate(all="raise"):
    out = np.zeros((2, 400))
    print("flags", told(grey, hot, out), crc(out))
    print("too large", told(grey, hot * 1e8, out), crc(out))
few = image(3, 2, 3)
out = np.zeros((3, 2), np.uint8)
print("few", told(grey, few, out), crc(out), told(grey, few[:, :1], out), crc(out))
