# Rows and slices of arrays in hot loops, which need no object until somebody asks for one: then it is the very array that NumPy gives.
# kiln-test: needs=numpy
import sys
import weakref

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


def rows(a):
    s = 0.0
    for i in range(len(a)):
        row = a[i]
        for j in range(len(row)):
            s += float(row[j])
    return s


def nested(a):
    s = 0.0
    for i in range(len(a)):
        for j in range(len(a[i])):
            s += float(a[i][j]) * float(a[-1 - i][j])
            a[i][j] = a[-1 - i][-1 - j]
    return s


def averages(a, out, width):
    for i in range(len(a)):
        row = a[i]
        smooth = out[i]
        for j in range(len(row) - width + 1):
            window = row[j:j + width]
            s = 0.0
            for k in range(len(window)):
                s += float(window[k])
            smooth[j] = s / width


def kept(a):
    out = []
    for i in range(len(a)):
        row = a[i]
        parts = row, row[1:-1], row[i:], row[:2], row[5:2], row[-3:100], row[:], row[3:][1:][:2]
        if i % 3 == 0:
            out.append(parts)
        again = row
        out.append((again is row, a[i] is a[i], type(row[1:]) is np.ndarray, isinstance(again, np.ndarray)))
        out.append(row.sum() + (row * 2)[1] + len(row[1:].tolist()))
    return out


def bounds(a):
    got = []
    for start in range(-8, 9):
        for stop in range(-8, 9):
            view = a[start:stop]
            got.append(len(view))
            if len(view):
                got.append(int(view[0]))
                got.append(int(view[-1]))
                view[0] += 1
    return got


def out_of_range(a, last):
    try:
        for i in range(last):
            row = a[i]
            row[i] = i
            row[i + 1] = 1
    except IndexError as error:
        return str(error), i, a.tolist()


def read_only(a):
    errors = 0
    for i in range(40):
        row = a[i % len(a)]
        try:
            row[1] = i
        except ValueError as error:
            errors += len(str(error))
    return errors


def shapes(a):
    total = 0
    for i in range(len(a)):
        height, width = a[i].shape
        total += height * width + a[i].size + a[i].ndim + len(a[i][0]) + len(a[i, 1])
        for x in a[i][0]:
            total += int(x)
        for k, x in enumerate(a[i][1]):
            total += int(x) * k
        for x, y in zip(a[i][1], a[i, 0]):
            total += int(x) * int(y)
        if a[i][1].size:
            total += 1
    return total


class Holder:
    def __init__(self, grid):
        self.grid = grid


def attributes(holder, n):
    total = 0
    for i in range(n):
        total += int(holder.grid[i % 4][1:][0])
        holder.grid[i % 4][2] += 1
        first, second = holder.grid[i % 4], holder.grid[1:][i % 3]
        first, second = second, first
        total += int(first[0]) - int(second[-1])
    return total


def look(depth):
    frame = sys._getframe(depth + 1)
    return describe(frame.f_locals.get("row")), describe(frame.f_locals.get("pair"))


def seen_by_callees(a):
    out = []
    for i in range(30):
        row = a[i % len(a)]
        pair = (row, row[1:])
        x = row[2]
        if i % 7 == 6:
            out.append(look(0))
            out.append(row is pair[0])
        row[3] = float(x) + i
    return out


def resized(a):
    """Whoever holds a view keeps NumPy from moving the memory."""
    refusals = counts = 0
    for i in range(40):
        row = a[i % 3]
        x = row[1]
        if i % 5 == 4:
            counts += sys.getrefcount(a)
            try:
                a.resize((50, 8))
            except ValueError:
                refusals += 1
        row[2] = x
    return refusals, counts, a.shape


def make(i):
    return np.full((3, 4), float(i))


def outlives(n):
    """The array has no name: its row is all that holds it."""
    total = 0.0
    for i in range(n):
        row = make(i)[1]
        part = make(i + 1)[1:][0][1:]
        total += float(row[2]) + float(part[0])
    return total


def rebound(arrays):
    total = 0.0
    for i in range(len(arrays)):
        a = arrays[i]
        row = a[1]
        a = None
        arrays[i] = None
        row[0] += 1
        total += float(row[0]) + float(row[1])
    return total


def ends(n):
    gone = []
    a = np.zeros((4, 4))
    for i in range(n):
        a = np.zeros((4, 4)) + i
        weakref.finalize(a, gone.append, i)
        row = a[1]
        x = row[2]
        row = a[2]
    return len(gone), float(x)


def chain(n):
    """Each is a view of the one before, which ends: NumPy's views hold the first array, not each other."""
    first = np.arange(n + 2.0)
    weakref.finalize(first, print, "chain ends")
    part = first
    first = None
    for i in range(n):
        part = part[1:]
        part[0] += i
    bases = part.base is not None, part.base.base is None, len(part.base)
    return bases, part.tolist()


def watched_views(n):
    """Weak references to views: each ends when its name does."""
    gone = []
    total = 0.0
    grid = np.arange(24.0).reshape(4, 6)
    part = grid[1:]
    for i in range(n):
        part = grid[i % 3:]
        if i % 4 == 3:
            weakref.finalize(part, gone.append, i)
        row = part[0]
        part = None
        total += float(row[i % 6]) + len(gone)
        if i % 8 == 7:
            total += row.base.shape[0] + (row.base is grid.base)
    return total, gone[:3], gone[-2:]


def element(row, k):
    return row[k]


def tail(row, k):
    return row[k:]


def calls(a):
    total = 0.0
    for i in range(60):
        row = a[i % len(a)]
        total += float(element(row, i % 3)) + float(tail(row, 1)[0])
        total += float(element(tail(a[i % len(a)], 2), 0))
    return total


def captured(a):
    functions = []
    for i in range(20):
        row = a[i % len(a)]
        x = row[1]
        if i % 6 == 0:
            functions.append(lambda row=row: float(row[0]) + float(x))
        row[0] += 1
    return [f() for f in functions]


def deleted(a):
    total = 0.0
    for i in range(30):
        row = a[i % len(a)]
        total += float(row[0])
        del row
        try:
            row
        except UnboundLocalError:
            total += 1
    return total


def raises(a):
    found = []
    for i in range(20):
        row = a[i % len(a)]
        x = row[1]
        try:
            if i % 5 == 4:
                raise KeyError(float(x))
        except KeyError as error:
            found.append((error.args, describe(error.__traceback__.tb_frame.f_locals["row"])))
    return found


def first_or_rest(a, n):
    """The name is an array in one round and a view in the next."""
    row = a
    total = 0
    for i in range(n):
        total += len(row)
        row = row[1:] if len(row) > 2 else a
    return total


def by_numpy_ints(a):
    total = 0
    for i in np.arange(len(a)):
        total += int(a[i][i % 3]) + len(a[i:][: i + 1]) + len(a[np.int8(1):])
    return total


def on_scalars(a):
    caught = 0
    for i in range(30):
        x = a[i % len(a)]
        try:
            x[0]
        except IndexError as error:
            caught += len(str(error))
    return caught


def main():
    for _ in range(12):
        got = []
        for dtype in ("f8", "i4", "u1", "f4", "?"):
            a = (np.arange(48).reshape(6, 8) * 1.5).astype(dtype)
            got += [rows(a), nested(a.copy()), rows(a.T), rows(a[:, ::-2]), nested(a[::-1, ::2].copy().T), describe(kept(a)), describe(kept(a.T))]
        a = np.arange(48.0).reshape(6, 8)
        out = np.zeros((6, 8))
        averages(a, out, 3)
        averages(a.T, out.T, 2)
        got.append(out.tolist())
        holder = Holder(np.arange(16).reshape(4, 4))
        got += [attributes(holder, 30), holder.grid.tolist()]
        got += [bounds(np.arange(7)), bounds(np.arange(14).reshape(7, 2)[:, 0]), bounds(np.broadcast_to(np.arange(1), (7,)).copy())]
        got += [out_of_range(np.zeros((5, 6)), 9), out_of_range(np.zeros((9, 6)), 9)]
        frozen = np.zeros((3, 3))
        frozen.flags.writeable = False
        got += [read_only(frozen), read_only(np.broadcast_to(np.zeros(3), (2, 3)))]
        got += [shapes(np.arange(120.0).reshape(4, 5, 6)), shapes(np.arange(120).reshape(6, 5, 4).T)]
        got += [seen_by_callees(np.arange(40.0).reshape(5, 8)), resized(np.zeros((4, 8)))]
        got += [outlives(40), chain(40), watched_views(60), rebound([np.full((2, 2), float(i)) for i in range(40)]), ends(40)]
        got += [calls(np.arange(40.0).reshape(5, 8)), captured(np.arange(40.0).reshape(5, 8)), deleted(np.ones((3, 3)))]
        got += [raises(np.arange(40.0).reshape(5, 8)), first_or_rest(np.zeros((9, 2)), 60), by_numpy_ints(np.arange(40).reshape(5, 8))]
        got += [on_scalars(np.ones(4)), on_scalars(np.ones(4, np.int16))]
    for result in got:
        print(result)


main()
