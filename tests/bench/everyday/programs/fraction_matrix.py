"""Solving linear systems exactly with Fractions."""

import sys
from fractions import Fraction

BENCH = {"size": 26, "small": 5}


def identity(n):
    return [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]


def multiply(a, b):
    return [[sum((x * y for x, y in zip(row, col)), Fraction(0)) for col in zip(*b)] for row in a]


def invert(matrix):
    n = len(matrix)
    work = [row[:] + ident for row, ident in zip(matrix, identity(n))]
    for col in range(n):
        pivot = next(r for r in range(col, n) if work[r][col] != 0)
        work[col], work[pivot] = work[pivot], work[col]
        factor = work[col][col]
        work[col] = [x / factor for x in work[col]]
        for r in range(n):
            if r != col and work[r][col] != 0:
                factor = work[r][col]
                work[r] = [x - factor * y for x, y in zip(work[r], work[col])]
    return [row[n:] for row in work]


def hilbert(n):
    return [[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)]


def continued_fraction(terms):
    value = Fraction(terms[-1])
    for t in reversed(terms[:-1]):
        value = t + 1 / value
    return value


def run(size):
    total = Fraction(0)
    for n in range(2, size):
        h = hilbert(n)
        inverse = invert(h)
        assert multiply(h, inverse) == identity(n)
        total += sum(sum(row) for row in inverse)
    e = [2] + [x for k in range(1, 30) for x in (1, 2 * k, 1)]
    for length in range(1, size * 2):
        total += continued_fraction(e[:length])
    return total.numerator % 1000003, total.denominator % 1000003


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
