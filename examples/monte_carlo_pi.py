"""Estimates pi by throwing darts at a square and counting those inside the circle.

Usage: monte_carlo_pi.py [DARTS [SEED]]     (default 8 million darts, seed 1)
"""

import math
import random
import sys


def count_hits(darts):
    """Returns how many of `darts` random points of the unit square lie within the quarter circle."""
    hits = 0
    for _ in range(darts):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


def main():
    darts = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if darts < 1:
        sys.exit("monte_carlo_pi.py: DARTS must be at least 1")
    random.seed(seed)
    estimate = 4.0 * count_hits(darts) / darts
    print(f"{darts} darts: pi is about {estimate:.6f}, off by {abs(estimate - math.pi):.6f}")


if __name__ == "__main__":
    main()
