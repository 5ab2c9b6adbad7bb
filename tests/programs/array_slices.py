"""Slices with steps and of several axes in hot loops: the elements, shapes, strides and flags that NumPy gives, and its errors."""
# kiln-test: needs=numpy
import itertools
import sys

import numpy as np


def describe(value):
    if isinstance(value, np.ndarray):
        base = value.base
        start = value.__array_interface__["data"][0] - (base.__array_interface__["data"][0] if base is not None else 0)
        return [value.shape, value.strides, value.flags.num, value.dtype.str, value.tolist(), base is not None and base.shape,
                start if base is not None else 0]
    if isinstance(value, (tuple, list)):
        return [describe(item) for item in value]
    return repr(value)


def bounds(a, start, stop):
    """Constant steps; bounds of all kinds."""
    out = []
    for i in range(60):
        parts = a[start:stop:2], a[start:stop:-1], a[start:stop:-3], a[start::2], a[:stop:2], a[start::-2], a[:stop:-1], a[::1], a[::-1], a[::7]
        lengths = [len(part) for part in parts]
        ends = [float(part[0]) + float(part[-1]) if len(part) else 0.0 for part in parts]
        out = [lengths, ends]
    return out, describe(parts)


def axes(a, i, j):
    for _ in range(60):
        parts = (a[i, :], a[:, j], a[1:, j], a[i, 1:], a[:, :], a[1:3, 1:3], a[i:, :2], a[:, ::2], a[::2, ::-1], a[-1:0:-1, j], a[i, ::-1], a[2:1, :],
                 a[:, 5:2], a[i, 3:1:1], a[i:i + 1, :], a[:1][0], a[1:, :][:, 1], a[:, 1:][0, 1:], a[:, j][::2])
        s = 0.0
        for part in (a[:, j][0], a[1:, j][-1], a[i, 1:][1], a[::2, ::-1][1, 0]):
            s += float(part)
    return describe(parts), s


def deep(a, i):
    for _ in range(60):
        parts = a[i, 0, :], a[i, :, 0], a[:, i, 0], a[1:, :, 1], a[i], a[:, 1:], a[i, 1:, ::2], a[:, :, ::-1], a[i, :, :], a[i, 1:2, :], a[1:][:, 0]
        total = float(a[:, i, 0][1]) + float(a[i, 1:, ::2][1, 1]) + float(a[..., 0][0, 0]) + float(a[None, i][0, 0, 0])
    return describe(parts), total


def stored(a):
    """Through views, which show the array's memory; and to slices."""
    for i in range(200):
        column = a[:, i % 3]
        column[i % len(a)] = i
        back = a[i % len(a), ::-1]
        back[0] += 1
        a[::2, 0] = back[0]
        a[1::2, 1:] += 1
        a[i % len(a), ::2] = back[::2]
    return a.tolist()


def sums(a):
    total = 0.0
    for j in range(a.shape[1]):
        for x in a[:, j]:
            total += float(x)
        for x in a[::-2, j]:
            total -= float(x)
        total += float(a[:, j].sum()) + float(a[1:, j].max())
    return total


def wrong(a, i, j):
    for k in range(100):
        at = i if k == 90 else 0
        part = a[at, j if k == 91 else 0:]
        other = a[1:, j if k == 92 else 0]
    return part.tolist(), other.tolist()


def too_many(a, b):
    total = 0
    for k in range(100):
        c = b if k == 80 else a
        total += len(c[1:, 0])
    return total


def zero_step(a, step):
    total = 0
    for k in range(100):
        total += len(a[::step if k == 70 else 2])
    return total


def variable_step(a):
    total = 0.0
    for k in range(300):
        total += float(a[1::k % 3 + 1][0]) + len(a[:: -1 - k % 2])
    return total


class Bounds:
    """Sees the slices that it is asked for, whose bounds are the program's objects."""

    def __init__(self):
        self.seen = []

    def __getitem__(self, index):
        self.seen.append(index)
        return len(self.seen)


def of_others(xs, text, own):
    big = 10**3
    out = []
    for i in range(200):
        start = big + i
        own[start:None:big]
        own[i, start:big]
        s = own.seen[-1][1]
        out.append((xs[::2][-1], text[::-1][:2], xs[-1:i % 5:-1][:1], s.start == big + i, s.stop is big, own.seen[-2].step is big, bytes(text, "ascii")[1::2]))
        xs[::3] = xs[::-3]
        del own.seen[:]
    return out[:3], out[-3:], xs


def kept(a):
    out = []
    for i in range(100):
        index = (slice(i % 3, None, 2), i % 2)
        out.append(describe(a[index]))
        made = [a[i % 3:, 1]]
        out.append(made[0] is made[-1])
        again = a[::2, 1]
        both = again, again
        out.append(both[0] is both[1])
    return out[-6:]


def counted(a):
    before = sys.getrefcount(a)
    for i in range(500):
        column = a[:, i % 3][::2]
        x = column[0]
    inside = sys.getrefcount(a) - before
    del column
    return inside, sys.getrefcount(a) - before


def tried(work, *arguments):
    try:
        return work(*arguments)
    except Exception as error:
        return type(error).__name__, str(error), error.__traceback__.tb_next.tb_lineno - work.__code__.co_firstlineno


for dtype in ("float64", "int32"):
    line = np.arange(10).astype(dtype)
    for start, stop in itertools.product((None, 0, 3, -3, 12, -12, np.int64(4)), (None, 0, 7, -1, 11, -11, np.int32(2))):
        print(dtype, start, stop, bounds(line, start, stop))
    print(bounds(line[:0], 1, -1), bounds(line[::-2], 1, -1), bounds(line[::3], -5, 9))
    grid = np.arange(30).reshape(5, 6).astype(dtype)
    for a in (grid, grid.T, np.asfortranarray(grid), grid[::-1, ::2], grid[1:, 1:], np.broadcast_to(grid[:1], (5, 6)), np.zeros((3, 4), dtype)):
        for i, j in ((0, 0), (1, 2), (-1, -1)):
            print(axes(a, i, j))
        print(sums(a), tried(zero_step, a, 0), variable_step(a.ravel()[:9]))
        for i, j in ((5, 0), (-6, 0), (0, 6), (9, 9)):
            print(tried(wrong, a, i, j))
    print(deep(np.arange(60).reshape(3, 4, 5).astype(dtype), 1), deep(np.arange(60).reshape(5, 4, 3).T.astype(dtype), 0))
    print(stored(grid.copy()), tried(stored, np.broadcast_to(grid[:1], (5, 6))))
    print(tried(too_many, grid, line), counted(grid), kept(grid))
print(of_others(list(range(20)), "some text", Bounds()))
