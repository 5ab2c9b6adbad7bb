"""Pi from random points: a C function called twice in each turn of the loop."""

import random
import sys

# Numba has a generator of its own, whose sequence after the same seed is another one: its estimate is only near.
BENCH = {"group": "numeric", "size": 6_000_000, "short_size": 340_000, "small": 1000, "kernels": ["run"], "numba_tolerance": 0.01}


def run(n):
    random.seed(12345)
    inside = 0
    for _ in range(n):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
