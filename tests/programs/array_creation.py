# Arrays made in loops: zeros, ones, empty, full, arange, linspace, copies, small literals; their classes and ends.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh

COUNT = 3500


def made_each_round(dtype):
    t = 0
    for i in range(COUNT):
        a = np.zeros(4, dtype)
        b = np.ones(4, dtype)
        a[i % 4] = b[-1]
        c = np.empty(3, dtype)
        c[0] = c[1] = c[2] = a[i % 2]
        t += a[1] + c[2] + b[0]
    return t


def shaped():
    t = 0
    for i in range(COUNT):
        a = np.zeros((i % 3 + 1, 2))
        b = np.full((2, i % 4 + 1), i % 10)
        a[0, 1] = b[1, -1]
        t += a[0, 1] + a.shape[0] + b.size + b[0][0]
    return t, b.dtype.name


def ranges():
    t = 0
    for i in range(COUNT):
        a = np.arange(i % 5 + 1)
        b = np.arange(1.0, 2.0, 0.25)
        c = np.linspace(0, 1, i % 4 + 2)
        for x in a:
            t += x
        t += b[i % 4] * c[-1] - c[1]
    return t


def like(a):
    t = a[0]
    for i in range(COUNT):
        b = np.zeros_like(a)
        c = a.copy()
        d = np.empty_like(a)
        c[i % len(c)] += 1
        d[:] = c
        b[i % len(b)] = d[i % len(d)] + a[i % len(a)]
        t = t + b[i % 3] - c[0]
    return t


def from_python():
    t = 0.0
    for i in range(COUNT):
        p = np.array([i * 0.5, 2.0, -1.0])
        q = np.array([[1, 2], [3, i % 7]])
        r = np.asarray(p)
        t += p[0] * q[1, 1] - r[2]
        r[1] = i
        t -= p[1] + q.dtype.itemsize
    return t, r is p


def kept(rounds):
    rows = []
    for i in range(rounds):
        row = np.zeros(3, np.float32)
        row[i % 3] = i
        rows.append(row)
    t = np.float32(0)
    for row in rows:
        t += row[0] - row[1] * row[2]
    return t, len(rows)


def rotated(points, rounds):
    """Small vectors and a small matrix, as in many a simulation."""
    c, s = np.cos(0.1), np.sin(0.1)
    m = np.array([[c, -s], [s, c]])
    for _ in range(rounds):
        for k in range(len(points)):
            p = points[k]
            points[k] = np.array([m[0, 0] * p[0] + m[0, 1] * p[1], m[1, 0] * p[0] + m[1, 1] * p[1]])
    return points


for dtype in ("float64", "float32", "int64", "int32", "uint8", "bool", "complex128", "float16"):
    print(dtype, exact(fresh(made_each_round)(dtype)))
    print(exact(fresh(like)((np.arange(6) % 2).astype(dtype))) if dtype != "bool" else "")
print(shaped(), ranges(), from_python(), kept(4000), *digest(rotated(np.arange(24.0).reshape(12, 2), 300).ravel()))
