"""Loops of a few rounds over arrays within longer ones: what is known of their indices, or asked before all of them, and where it
fails. Each error comes at its place, with all that was stored before."""
# kiln-test: needs=numpy modes=thorough,always,default,deopt

import sys

import numpy as np
from _arrays import fresh


def show(work, *arguments):
    """What a function of its own code gives for the arguments, called again and again."""
    work = fresh(work)
    seen = []
    for _ in range(6):
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        try:
            result = repr(work(*copies))
        except Exception as error:
            line = error.__traceback__.tb_next.tb_lineno - work.__code__.co_firstlineno
            result = f"{type(error).__name__}: {error} at {line}, {sorted(error.__traceback__.tb_next.tb_frame.f_locals)}"
        seen.append((result, [a.tobytes() for a in copies if isinstance(a, np.ndarray)]))
    assert all(one == seen[0] for one in seen), (work.__name__, [one[0] for one in seen])
    print(work.__name__, seen[0][0], [sum(part) for part in seen[0][1]])


def distances(x, d, n, dimensions):
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(dimensions):
                t = x[i, k] - x[j, k]
                s += t * t
            d[i, j] = s


points = np.random.RandomState(1).uniform(-1.0, 1.0, (60, 3))
show(distances, points, np.zeros((60, 60)), 60, 3)
show(distances, points, np.zeros((60, 60)), 60, 2)
show(distances, points, np.zeros((60, 60)), 60, 4)
show(distances, points, np.zeros((60, 60)), 61, 3)
show(distances, points, np.zeros((60, 59)), 60, 3)
show(distances, points, np.zeros((59, 60)), 60, 3)
show(distances, points[:, :0], np.zeros((60, 60)), 60, 0)
show(distances, points, np.zeros((60, 60)), -1, 3)
show(distances, points[:, ::-1], np.zeros((60, 60)).T, 60, 3)


def window(a, out, radius):
    n = len(a)
    for i in range(n):
        s = 0.0
        for j in range(max(0, i - radius), min(n, i + radius + 1)):
            s += a[j]
        out[i] = s


values = np.random.RandomState(2).uniform(0.0, 1.0, 2000)
show(window, values, np.zeros(2000), 2)
show(window, values, np.zeros(1999), 2)
show(window, values, np.zeros(2000), -1)


def around(a, out, first, last):
    """Offsets that may be negative: those count from the end."""
    for i in range(first, last):
        s = 0
        for j in range(-1, 2):
            s += int(a[i + j])
        out[i] = s


numbers = np.arange(3000, dtype=np.int32) * 7 % 1000
show(around, numbers, np.zeros(3000, np.int64), 1, 2999)
show(around, numbers, np.zeros(3000, np.int64), 0, 2999)
show(around, numbers, np.zeros(3000, np.int64), 1, 3000)
show(around, numbers, np.zeros(3000, np.int64), -3000, 2999)
show(around, numbers, np.zeros(3000, np.int64), -3001, 2999)


def nearest(points, centres, best_of, index_of):
    for i in range(len(points)):
        best = 1e300
        for k in range(len(centres)):
            d = points[i] - centres[k]
            d = d * d
            if d < best:
                best = d
                index_of[i] = k
        best_of[i] = best


centres = np.random.RandomState(3).uniform(0.0, 1.0, 7)
show(nearest, values, centres, np.zeros(2000), np.zeros(2000, np.int8))
show(nearest, values, np.append(centres, np.nan), np.zeros(2000), np.zeros(2000, np.int8))
show(nearest, values, np.full(200, 0.5), np.zeros(2000), np.zeros(2000, np.int8))
show(nearest, values, 2.0 - np.arange(200.0) / 128, np.zeros(2000), np.zeros(2000, np.int8))


def wrapped(grid, out):
    rows, columns = grid.shape
    for y in range(rows):
        for x in range(columns):
            s = 0
            for v in range(-1, 2):
                for u in range(-1, 2):
                    s += int(grid[(y + v) % rows, (x + u) % columns])
            out[y, x] = s


cells = np.random.RandomState(4).randint(0, 2, (40, 50)).astype(np.uint8)
show(wrapped, cells, np.zeros((40, 50), np.int64))
show(wrapped, cells, np.zeros((40, 49), np.int64))


def bins(a, counts):
    for i in range(len(a)):
        for j in range(2):
            counts[a[i]] += j


show(bins, (np.arange(3000) % 256).astype(np.uint8), np.zeros(256, np.int64))
show(bins, (np.arange(3000) % 256).astype(np.uint8), np.zeros(255, np.int64))
show(bins, (np.arange(3000) % 256 - 128).astype(np.int8), np.zeros(128, np.int64))
show(bins, (np.arange(3000) % 256 - 128).astype(np.int8), np.zeros(127, np.int64))


def windows(grid, out, width):
    for i in range(len(grid)):
        row = grid[i]
        smooth = out[i]
        for j in range(len(row) - width + 1):
            part = row[j : j + width]
            s = 0.0
            for k in range(len(part)):
                s += part[k]
            smooth[j] = s


show(windows, np.random.RandomState(5).uniform(0.0, 1.0, (50, 60)), np.zeros((50, 60)), 4)
show(windows, np.random.RandomState(5).uniform(0.0, 1.0, (50, 60)), np.zeros((50, 20)), 4)
show(windows, np.random.RandomState(5).uniform(0.0, 1.0, (50, 60)), np.zeros((50, 80)), -3)


def another_each_time(arrays, n):
    """The length that an inner loop ends at is not the one of the next."""
    total = 0.0
    for i in range(n):
        a = arrays[i % len(arrays)]
        for k in range(4):
            total += a[k]
    return total


def lengths(*counts):
    return [np.arange(float(count)) for count in counts]


for arrays in (lengths(4, 5, 6), lengths(4), lengths(4, 3)):
    work = fresh(another_each_time)
    for n in (3000, 3001, 1):
        try:
            print(work(arrays, n))
        except IndexError as error:
            print(error)


def kept(a, centres):
    """Names of one scalar that are shown in the end, or compared, are one object."""
    best = a[0]
    same = other = 0
    held = []
    for i in range(len(a)):
        last = best
        for k in range(3):
            d = a[i] - centres[k]
            if d < best:
                best = d
                last = d
            same += best is last
        held.append(best)
        held.append(last)
        other += held[-1] is held[-2]
    return same, other, len({id(one) for one in held}) > 0, best is last


show(kept, values, centres)


def shown_late(a):
    """What is one object only matters for somebody who looks at the frame."""
    best = a[0]
    for i in range(len(a)):
        d = a[i]
        if d > best:
            best = d
        if i == len(a) - 1:
            names = sys._getframe().f_locals
            return names["best"] == best, names["d"] == d, type(names["best"]).__name__
    return None


show(shown_late, values)
