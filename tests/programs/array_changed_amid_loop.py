# Arrays resized, reshaped in place, made read-only, given another dtype or rebound between two rounds of a loop.
# kiln-test: needs=numpy
import warnings

import numpy as np
from _arrays import digest, exact, fresh, outcome

warnings.simplefilter("ignore", DeprecationWarning)
COUNT = 4200


def resized(sizes, count):
    """The buffer moves, and what is new in it is zero."""
    a = np.ones(50)
    t = 0.0
    for i in range(count):
        if i % 300 == 299:
            a.resize(sizes[i // 300 % len(sizes)], refcheck=False)
        t = (t * 3 + a[i % len(a)]) % 1001
        a[-1] += 1
        a[i % 7] = i
    return t, exact(a)


def shrunk_below(count):
    a = np.arange(50)
    t = 0
    for i in range(count):
        if i == count - 30:
            a.resize(40, refcheck=False)
        t += a[i % 50]
    return t


def resized_by_callee(count):
    a = np.zeros(8)
    for i in range(count):
        a[i % 8] += 1
        grow(a, i)
        a[-1] = i
    return exact(a)


def grow(a, i):
    if i % 1000 == 700:
        a.resize(len(a) + 3, refcheck=False)


def reshaped(count):
    a = np.arange(24)
    shapes = [(24,), (4, 6), (2, 3, 4), (24, 1), (6, 4)]
    t = 0
    for i in range(count):
        if i % 500 == 499:
            a.shape = shapes[i // 500 % len(shapes)]
        x = a[i % a.shape[0]]
        while x.ndim:
            x = x[-1]
        t = (t * 5 + int(x) + len(a) + a.ndim) % 10007
    return t, a.shape


def reshaped_under_pair(count):
    """A loop that indexes by two: in its last phase there is one axis only."""
    a = np.arange(24).reshape(4, 6)
    t = 0
    for i in range(count):
        if i == count // 2:
            a.shape = (2, 12)
        if i == count - 5:
            a.shape = (24,)
        t += a[i % 2, i % 6]
    return t


def strides_set(count):
    a = np.arange(40)[::2]
    t = 0
    for i in range(count):
        if i == count // 2:
            a.strides = (8,)
        t = (t * 3 + int(a[i % 20])) % 65521
    return t


def dtype_set(count):
    a = np.arange(64, dtype=np.int64)
    seen = {}
    for i in range(count):
        if i % 700 == 699:
            a.dtype = ("i4", "f8", "u1", "f4", "i8")[i // 700 % 5]
        x = a[i % 8]
        name = type(x).__name__
        seen[name] = seen.get(name, 0) + int(x > 3)
    return sorted(seen.items())


def locked(count):
    a = np.zeros(10, np.int32)
    refused = 0
    for i in range(count):
        if i % 400 == 399:
            a.flags.writeable = not a.flags.writeable
        try:
            a[i % 10] = i
        except ValueError as error:
            refused += 1
            text = str(error)
    return refused, text, exact(a)


def locked_at_last(count):
    a = np.zeros(10)
    try:
        for i in range(count):
            if i == count - 3:
                a.setflags(write=False)
            a[i % 10] += i
    except ValueError as error:
        return i, str(error), exact(a)


def rebound(arrays, count):
    t = 0
    for i in range(count):
        a = arrays[i * len(arrays) // count]
        for k in range(3):
            t += a[k] * 2
            a = arrays[(i + k) % 2] if k == 1 else a
    return t


def swapped(a, b, rounds):
    """Two grids that change places each round."""
    for _ in range(rounds):
        for i in range(1, len(a) - 1):
            b[i] = (a[i - 1] + a[i + 1]) / 2
        a, b = b, a
    return a


def replaced_in_place(count):
    a = np.arange(30)
    t = 0
    for i in range(count):
        if i % 100 == 50:
            a[:] = a[::-1] + i
        if i % 100 == 80:
            np.add(a, 1, out=a)
        if i % 1000 == 3:
            a.sort()
            a.fill(i)
        t += a[i % 30]
    return t


class Holder:
    def __init__(self, data):
        self.data = data


def held(holder, count):
    t = 0.0
    for i in range(count):
        t += holder.data[i % 4]
        holder.data[i % 3] -= 1
        if i == count // 2:
            holder.data = np.arange(4, dtype=np.float32)
        if i == count // 4 * 3:
            holder.data = [1, 2, 3, 4]
    return t, holder.data


shared = np.arange(12.0)


def by_global(count):
    global shared
    t = 0
    for i in range(count):
        if i % 900 == 899:
            shared = shared.astype("f4" if i < 1000 else "i4")[::-1].copy()
        t += shared[i % 12]
        shared[i % 5] = i % 7
    return t


print(resized([50, 80, 20, 7], COUNT), fresh(resized)([5000, 60, 100000], COUNT))
print(outcome(shrunk_below, COUNT), resized_by_callee(COUNT))
print(reshaped(COUNT), outcome(reshaped_under_pair, COUNT), strides_set(COUNT))
print(dtype_set(COUNT), locked(COUNT), locked_at_last(COUNT))
grids = [np.arange(3), np.arange(3.0), np.arange(3, dtype="f4"), np.arange(6)[::2], np.arange(3, dtype="u1")]
print(exact(rebound(grids, COUNT)), exact(fresh(rebound)(grids[:1] * 2, COUNT)))
print(*digest(swapped(np.arange(40.0) ** 2, np.zeros(40), 110)), exact(replaced_in_place(COUNT)))
print(exact(held(Holder(np.arange(4)), COUNT)), exact(by_global(COUNT)), exact(shared))
