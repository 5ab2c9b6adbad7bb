"""Determinants and linear algebra on lists of lists."""

import sys

BENCH = {"size": 70, "small": 12}


def minor(m, i, j):
    return [row[:j] + row[j + 1:] for row in m[:i] + m[i + 1:]]


def laplace(m):
    if len(m) == 2:
        return m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return sum((-1) ** c * m[0][c] * laplace(minor(m, 0, c)) for c in range(len(m)))


def gauss(m):
    m = [[float(x) for x in row] for row in m]
    n = len(m)
    det = 1.0
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        if abs(m[pivot][i]) < 1e-12:
            return 0.0
        if pivot != i:
            m[i], m[pivot] = m[pivot], m[i]
            det = -det
        det *= m[i][i]
        for r in range(i + 1, n):
            factor = m[r][i] / m[i][i]
            for c in range(i, n):
                m[r][c] -= factor * m[i][c]
    return det


def bareiss(m):
    m = [row[:] for row in m]
    n = len(m)
    sign, previous = 1, 1
    for k in range(n - 1):
        if m[k][k] == 0:
            return 0
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) // previous
        previous = m[k][k]
    return sign * m[-1][-1]


def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def transpose(m):
    return [list(row) for row in zip(*m)]


def make(n, seed):
    return [[(i * 7 + j * 13 + i * j * seed) % 19 - 9 + (10 if i == j else 0) for j in range(n)] for i in range(n)]


def run(size):
    total = laplace(make(8, 3))
    for seed in range(1, 13):
        total += round(gauss(make(size, seed)) % 1000, 3)
    total += bareiss(make(size + 20, 5)) % 1000003
    a, b = make(size - 10, 1), make(size - 10, 2)
    for _ in range(20):
        c = matmul(a, transpose(b))
        b = [[x % 17 for x in row] for row in c]
    return round(total, 3), sum(map(sum, b))


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
