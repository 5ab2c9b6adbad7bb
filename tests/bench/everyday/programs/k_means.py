"""k-means over lists of tuples."""

import math
import random
import sys

BENCH = {"size": 2000, "small": 20}


def squared(p, q):
    return sum((a - b) ** 2 for a, b in zip(p, q))


def closest(point, centres):
    return min(range(len(centres)), key=lambda i: squared(point, centres[i]))


def mean(points):
    n = len(points)
    return tuple(sum(c) / n for c in zip(*points))


def k_means(points, k, rng):
    centres = rng.sample(points, k)
    rounds = 0
    while rounds < 12:
        clusters = [[] for _ in range(k)]
        for p in points:
            clusters[closest(p, centres)].append(p)
        new = [mean(c) if c else centres[i] for i, c in enumerate(clusters)]
        rounds += 1
        if all(math.dist(a, b) < 1e-9 for a, b in zip(new, centres)):
            break
        centres = new
    return centres, rounds


def run(size):
    rng = random.Random(3)
    points = []
    for cx, cy, cz in ((0, 0, 0), (5, 5, 1), (-5, 4, 9), (8, -3, 2)):
        for _ in range(size):
            points.append((rng.gauss(cx, 1.5), rng.gauss(cy, 1.5), rng.gauss(cz, 1.5)))
    centres, rounds = k_means(points, 5, rng)
    return [tuple(round(v, 6) for v in c) for c in sorted(centres)], rounds


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
