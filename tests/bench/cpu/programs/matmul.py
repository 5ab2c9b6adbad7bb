"""Product of two matrices held as lists of lists of floats: two item loads for each multiplication."""

import sys

BENCH = {"group": "numeric", "size": 270, "short_size": 102, "small": 8, "kernels": ["matrix", "multiply", "run"]}


def matrix(n, seed):
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(((i * 37 + j * 17 + seed) % 101) / 101.0 - 0.5)
        rows.append(row)
    return rows


def multiply(a, b):
    n = len(a)
    c = []
    for i in range(n):
        row = a[i]
        out = []
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += row[k] * b[k][j]
            out.append(s)
        c.append(out)
    return c


def run(n):
    c = multiply(matrix(n, 1), matrix(n, 2))
    trace = 0.0
    for i in range(n):
        trace += c[i][i] + c[i][n - 1 - i]
    return trace


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
