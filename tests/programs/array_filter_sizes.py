# Loops inside of others that have the same few rounds each time, and then others: a filter whose size is an argument, distances in as many
# dimensions as points have, windows around a place. Rounds that fail in the midst: overflows, indices out of range, warnings.
# kiln-test: needs=numpy
import warnings

import numpy as np

rng = np.random.default_rng(5)


def filtered(image, weights, out):
    rows, columns = weights.shape
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            total = 0.0
            for v in range(rows):
                for u in range(columns):
                    total += image[y + v, x + u] * weights[v, u]
            out[y, x] = total
    return out


def counted(image, rows, columns, out):
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            total = 0
            for v in range(rows):
                for u in range(columns):
                    total += int(image[y + v, x + u])
            out[y, x] = total
    return out


def around(image, reach, out):
    for y in range(reach, image.shape[0] - reach):
        for x in range(reach, image.shape[1] - reach):
            least = image[y, x]
            for v in range(-reach, reach + 1):
                for u in range(-reach, reach + 1):
                    if image[y + v, x + u] < least:
                        least = image[y + v, x + u]
            out[y, x] = least
    return out


def distances(points, place, out):
    dimensions = points.shape[1]
    for i in range(len(points)):
        total = 0.0
        for k in range(dimensions):
            difference = points[i, k] - place[k]
            total += difference * difference
        out[i] = total
    return out


def nearest(points, centres, found):
    for i in range(len(points)):
        best, which = 1e300, -1
        for c in range(len(centres)):
            total = 0.0
            for k in range(points.shape[1]):
                total += (points[i, k] - centres[c, k]) ** 2
            if total < best:
                best, which = total, c
        found[i] = which
    return found


def triangle(a, out):
    for i in range(len(out)):
        total = 0.0
        for k in range(i % 4):
            total += a[i - k] * (k + 1)
        out[i] = total
    return out


def shown(name, array):
    print(name, array.dtype, array.shape, array.tobytes().hex()[:64], float(np.sum(array, dtype=np.float64)).hex())


def tried(name, call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            shown(name, call())
        except Exception as error:
            print(name, type(error).__name__, error)
    print(*sorted({(warning.category.__name__, str(warning.message), warning.lineno) for warning in caught}))


image = rng.random((60, 70))
for size in [(3, 3)] * 30 + [(5, 5), (1, 1), (3, 4), (4, 3), (3, 3), (0, 3), (3, 0), (17, 2), (2, 17), (3, 3)]:
    weights = rng.random(size)
    made = filtered(image, weights, np.zeros((60 - size[0], 70 - size[1])))
shown("filtered", made)
for size in [(3, 3), (5, 5), (1, 1), (3, 4), (4, 3), (0, 3), (3, 0), (17, 2), (2, 17)]:
    for kind in np.float64, np.float32, np.int64, np.uint8, np.complex128:
        picture, weights = (rng.random((60, 70)) * 9).astype(kind), (rng.random(size) * 9).astype(kind)
        made = np.zeros((60 - size[0], 70 - size[1]), np.complex128 if kind is np.complex128 else np.float64)
        tried(f"filtered {size} {kind.__name__}", lambda: filtered(picture, weights, made))
huge = image.copy()
huge[40, 30] = 1e308
with np.errstate(all="warn"):
    tried("overflow", lambda: filtered(huge, np.full((3, 3), 10.0), np.zeros((57, 67))))
huge[40, 30] = np.inf
huge[12, 60] = np.nan
tried("special", lambda: filtered(huge, np.zeros((3, 3)), np.zeros((57, 67))))
tried("too large a result", lambda: filtered(image, np.ones((3, 3)), np.zeros((60, 70))))
tried("strided", lambda: filtered(image[::-1, ::2], np.ones((6, 6))[::2, ::2], np.zeros((50, 30))))

bytes_ = rng.integers(0, 256, (60, 70)).astype(np.uint8)
for rows, columns in [(3, 3)] * 20 + [(2, 2), (3, 2), (-1, 3), (0, 0), (3, 3)]:
    tried(f"counted {rows} {columns}", lambda: counted(bytes_, rows, columns, np.zeros((50, 60), np.int64)))
tried("counted, too few", lambda: counted(bytes_, 3, 3, np.zeros((50, 69), np.int64)))
tried("counted, too large", lambda: counted(bytes_, 3, 3, np.zeros((50, 60), np.int8)))
tried("counted from the end", lambda: counted(bytes_[:3, :3], 3, 3, np.zeros((1, 1), np.int64)))

for reach in [1] * 30 + [2, 0, 3, 1]:
    made = around(image, reach, np.zeros(image.shape))
    if reach != 1:
        shown(f"around {reach}", made)
shown("around", made)

for dimensions in [3] * 40 + [2, 4, 1, 0, 3, 20, 3]:
    points = rng.random((300, dimensions))
    made = distances(points, rng.random(dimensions), np.zeros(300))
    found = nearest(points, rng.random((dimensions or 1, dimensions)), np.zeros(300, np.int64))
    if dimensions != 3:
        shown(f"distances {dimensions}", made)
        shown(f"nearest {dimensions}", found)
shown("distances", made)
shown("nearest", found)
tried("fewer places", lambda: distances(points, rng.random(2), np.zeros(300)))
tried("fewer results", lambda: distances(points, rng.random(3), np.zeros(200)))

a = rng.random(500)
for _ in range(20):
    made = triangle(a, np.zeros(500))
shown("triangle", made)


def resized(image, weights, out):
    """The number of rounds changes while the loop runs."""
    rows = 3
    for x in range(len(out)):
        total = 0.0
        for v in range(rows):
            total += image[x + v] * weights[v]
        out[x] = total
        if x == 700:
            rows = 5
    return out


for _ in range(20):
    made = resized(np.arange(1000.0), np.arange(9.0), np.zeros(900))
shown("resized", made)
