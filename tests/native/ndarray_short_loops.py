# loops of a few rounds over arrays within a longer one: the nearest of some centres, distances, a window, neighbours around the edge
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

RANDOM = np.random.RandomState(1)
POINTS = RANDOM.uniform(0.0, 1.0, (300, 3))
CENTRES = RANDOM.uniform(0.0, 1.0, (5, 3))
NEAREST = np.zeros(300, np.int32)
SMOOTH = np.zeros(300)


def work(n):
    points, centres, nearest, smooth = POINTS, CENTRES, NEAREST, SMOOTH
    length, dimensions = points.shape
    radius = 2
    total = np.float64(0.0)
    for r in range(n):  # kiln-native
        i = r % length
        best = 1e300
        for k in range(len(centres)):
            d = 0.0
            for j in range(dimensions):
                t = points[i, j] - centres[k, j]
                d += t * t
            if d < best:
                best = d
                nearest[i] = k
        s = 0.0
        for j in range(max(0, i - radius), min(length, i + radius + 1)):
            s += points[j, 0]
        for j in range(-1, 2):
            s += points[(i + j) % length, 1]
        smooth[i] = s
        total += best
    return total, int(nearest.sum()), float(smooth.sum())


drive(work, warm=500, full=1000)
