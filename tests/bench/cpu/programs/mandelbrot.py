"""The Mandelbrot set on a square grid: short inner loops of float arithmetic that end early, one call per point."""

import sys

BENCH = {"group": "numeric", "size": 300, "short_size": 73, "small": 12, "kernels": ["steps", "run"]}


def steps(cr, ci, limit):
    zr = 0.0
    zi = 0.0
    for k in range(limit):
        a = zr * zr
        b = zi * zi
        if a + b > 4.0:
            return k
        zi = 2.0 * zr * zi + ci
        zr = a - b + cr
    return limit


def run(n):
    total = 0
    for row in range(n):
        ci = 2.5 * row / n - 1.25
        for column in range(n):
            total += steps(3.0 * column / n - 2.0, ci, 400)
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
