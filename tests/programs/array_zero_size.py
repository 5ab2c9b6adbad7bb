# Arrays with no elements, with one, and with no axes: loops over them, indices into them, and what that raises.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh, outcome

COUNT = 4000


def lengths(arrays):
    t = 0
    for i in range(COUNT):
        a = arrays[i % len(arrays)]
        for k in range(len(a)):
            t += a[k].size + 1
        for x in a:
            t += x.size
        t += a.size + len(a) + (a.shape[-1] if a.ndim else 5)
    return t


def no_axes(a):
    t = 0
    for i in range(COUNT):
        a[()] = i % 100
        t += a[()] + a.item() + a[...] + a * 2
        a += 1
        t += int(a) + a.ndim + a.size + len(a.shape)
    return t


def failures(a, keys):
    seen = {}
    for i in range(COUNT):
        try:
            a[keys[i % len(keys)]] = 1
            text = exact(a[keys[i % len(keys)]])
        except (IndexError, ValueError, TypeError) as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def at_last_empty(arrays):
    t = 0
    for a in arrays:
        for i in range(COUNT):
            t += a[i % max(len(a), 1)]
    return t


def length_of_none(a):
    t = 0
    for i in range(COUNT):
        if i == COUNT - 1:
            a = a[0]
        t += len(a)
    return t


def iterate_none(a):
    t = 0
    for i in range(COUNT):
        if i == COUNT - 1:
            a = a[0, ...]
        for x in a:
            t += x
    return t


def one(a):
    t = a.dtype.type(0)
    for i in range(COUNT):
        t += a[0] + a[-1]
        a[i * 0] = i % 5
        for x in a:
            t = t + x
    return t


def sums_of_slices(a):
    """Most of the slices are empty."""
    t = 0
    for i in range(COUNT):
        part = a[i % 12 : i % 5]
        for k in range(len(part)):
            t += part[k]
        t += part.shape[0] - part.strides[0]
    return t


def truth(arrays):
    seen = {}
    for i in range(COUNT):
        try:
            text = "true" if arrays[i % len(arrays)] else "false"
        except ValueError as error:
            text = str(error)
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


EMPTY = [np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 0, 4)), np.zeros((5, 3))[2:2], np.zeros((4, 4))[:, 4:]]
print(lengths(EMPTY), fresh(lengths)(EMPTY[:2]), outcome(fresh(lengths), EMPTY[:1] + [np.array(3)]))
for dtype in ("int64", "float64", "float32", "uint8"):
    print(dtype, exact(outcome(fresh(no_axes), np.zeros((), dtype))), exact(fresh(one)(np.zeros(1, dtype))))
for a in EMPTY + [np.array(3), np.array(3.5), np.zeros(1), np.zeros((1, 1))]:
    print(a.shape, fresh(failures)(a, [0, -1, (), (0, 0), (0,), (0, 0, 0), -2, 1, (-1, 0), slice(0, 1), (slice(None), 0)]))
print(outcome(at_last_empty, [np.arange(4), np.arange(9), np.zeros(0, int)]))
print(outcome(fresh(at_last_empty), [np.arange(4.0), np.zeros(3)[3:]]), outcome(length_of_none, np.zeros(3)))
print(outcome(iterate_none, np.zeros(3)), outcome(fresh(iterate_none), np.zeros((3, 0))))
print(exact(sums_of_slices(np.arange(9))), exact(fresh(sums_of_slices)(np.arange(20.0)[::2])))
print(truth([np.array(1), np.array(0.0), np.zeros(1), np.ones(1), np.ones((1, 1))]))
print(fresh(truth)([np.ones(2), np.array([True, False]), np.ones(1)]), *digest([np.zeros(0), np.zeros((0, 3))]))
