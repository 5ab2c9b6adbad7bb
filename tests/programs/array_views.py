# Views: rows, slices with constant and variable ends, chains of them; stores through a view reach its base.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh


def through_rows(a):
    t = 0
    for i in range(len(a)):
        row = a[i]
        for j in range(len(row)):
            t += row[j]
            row[j] = t % 7
    return t


def chained(a):
    t = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            t += a[i][j] * 2
            a[i][j] -= a[-1 - i][j]
    return t


def windows(a, width):
    """A moving sum over slices whose ends vary and run past the end."""
    out = np.zeros_like(a)
    for i in range(len(a)):
        window = a[i : i + width]
        for k in range(len(window)):
            out[i] += window[k]
    return out


def halves(a):
    t = 0
    lo, hi = a[: len(a) // 2], a[len(a) // 2 :]
    for i in range(len(lo)):
        t += lo[i] - hi[i]
        lo[i], hi[i] = hi[i], lo[i]
    return t


def shifted(a, rounds):
    """Two views that overlap: each store is seen by a later read of the other."""
    left, right = a[:-1], a[1:]
    for r in range(rounds):
        for i in range(len(left)):
            right[i] = left[i] + 1 if r % 2 else (left[i] + right[i]) // 2
    return a


def slice_each_round(a, count):
    t = 0
    for i in range(count):
        part = a[i % 7 : -(i % 5) - 1 : i % 3 + 1]
        t += part[0] + part[-1] + len(part) + part.shape[0] + part.strides[0]
    return t


def odd_slices(a, count):
    t = 0
    for i in range(count):
        t = (t * 7 + len(a[i % 30 - 15 :]) + len(a[: i % 40 - 20]) + len(a[::-1]) + len(a[50:]) + len(a[5:2])) % 99991
        t += a[-100:100][i % len(a)] + a[None][0, i % len(a)] + a[..., i % len(a)] + a[:][-1]
    return t


def sub_blocks(a, size):
    out = []
    for i in range(0, a.shape[0] - size + 1):
        for j in range(0, a.shape[1] - size + 1):
            block = a[i : i + size, j : j + size]
            s = 0
            for p in range(size):
                for q in range(size):
                    s += block[p, q] * (p - q)
            out.append(s)
    return out


def columns(a):
    t = 0
    for j in range(a.shape[1]):
        column = a[:, j]
        for i in range(len(column)):
            t = (t * 5 + int(column[i])) % 65537
            column[i] = t % 100
        t += int(a[1:, j][-1])
    return t


def store_slices(a, count):
    for i in range(count):
        a[i % 9 : i % 9 + 3] = i % 50
        a[i % 5] += 1
        a[-3:] = a[:3]
    return a


def turned(a):
    t = 0
    for i in range(a.T.shape[0]):
        for j in range(a.T.shape[1]):
            t += a.T[i, j] * i
            a.T[i, j] = j
    return t


for dtype in ("float64", "int32", "int64", "float32"):
    grid = (np.arange(4800) * 13 % 97).reshape(60, 80).astype(dtype)
    print(dtype, exact(fresh(through_rows)(grid)), exact(fresh(chained)(grid)), *digest(grid.ravel().tolist()))
    line = (np.arange(4000) * 11 % 89).astype(dtype)
    print(*digest(fresh(windows)(line, 5)))
    print(exact(fresh(halves)(line)), *digest(line))
    print(*digest(fresh(shifted)(line, 3)))
    print(exact(fresh(slice_each_round)(line[:60], 4000)), exact(fresh(odd_slices)(line[:30], 4000)))
    print(*digest(fresh(sub_blocks)(grid[:30], 3)))
    print(exact(fresh(columns)(grid)), exact(fresh(turned)(grid)), *digest(grid.ravel()))
    print(*digest(fresh(store_slices)(line[:40], 5000)))
    print(*digest(fresh(sub_blocks)(np.asfortranarray(grid)[::-1, ::2], 2)))
