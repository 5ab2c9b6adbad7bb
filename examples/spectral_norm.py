"""Finds the largest singular value of the endless matrix A(i, j) = 1 / ((i + j)(i + j + 1) / 2 + i + 1), cut to N x N.

Usage: spectral_norm.py [N]     (default 500; the value tends to 1.2742241...)
"""

import math
import sys


def entry(i, j):
    """Returns A(i, j), counted from zero."""
    diagonal = i + j
    return 1.0 / (diagonal * (diagonal + 1) // 2 + i + 1)


def times(vector):
    """Returns A times `vector`."""
    size = len(vector)
    product = []
    for i in range(size):
        total = 0.0
        for j in range(size):
            total += entry(i, j) * vector[j]
        product.append(total)
    return product


def times_transposed(vector):
    """Returns A transposed times `vector`."""
    size = len(vector)
    product = []
    for i in range(size):
        total = 0.0
        for j in range(size):
            total += entry(j, i) * vector[j]
        product.append(total)
    return product


def largest_singular_value(size, rounds=10):
    """Power iteration on A^T A, from a vector of ones."""
    v = [1.0] * size
    for _ in range(rounds):
        u = times_transposed(times(v))
        length = math.sqrt(sum(x * x for x in u))
        v = [x / length for x in u]
    w = times(v)
    return math.sqrt(sum(x * x for x in w))


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    if size < 1:
        sys.exit("spectral_norm.py: N must be at least 1")
    print(f"{largest_singular_value(size):.9f}")


if __name__ == "__main__":
    main()
