# loops of a few rounds over arrays within longer ones: the nearest of some centres, whose names are one scalar in some rounds, and a window
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

RANDOM = np.random.RandomState(1)
POINTS = RANDOM.uniform(0.0, 1.0, (300, 2))
CENTRES = RANDOM.uniform(0.0, 1.0, (5, 2))
NEAREST = np.zeros(300, np.int32)
SMOOTH = np.zeros(300)


def nearest(points, centres, near, n):
    for r in range(n):  # kiln-native
        i = r % 300
        best = 1e300
        for k in range(len(centres)):
            dx = points[i, 0] - centres[k, 0]
            dy = points[i, 1] - centres[k, 1]
            d = dx * dx + dy * dy
            if d < best:
                best = d
                near[i] = k


def smoothed(points, smooth, radius, n):
    length = len(points)
    for r in range(n):  # kiln-native
        i = r % length
        s = 0.0
        for j in range(max(0, i - radius), min(length, i + radius + 1)):
            s += points[j, 0]
        smooth[i] = s


def work(n):
    nearest(POINTS, CENTRES, NEAREST, n)
    smoothed(POINTS, SMOOTH, 2, n)
    return int(NEAREST.sum()), float(SMOOTH.sum())


drive(work, warm=1000, full=2000)
