# Index arithmetic at the ends of what ints hold, ranges in every direction, slices with huge and NumPy ends.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh, outcome

COUNT = 3500
A = np.arange(64) * 5


def by_offset(a, offset, count):
    """In range only because the offset cancels out."""
    t = 0
    for i in range(count):
        t += a[(i + offset - offset) % len(a)]
        t -= a[i % 7 + offset - offset]
    return t


def offset_grows(a, start, step, count):
    """The index leaves the range by far, at last."""
    k = start
    t = 0
    for i in range(count):
        t += a[k % len(a)]
        if i > count - 3:
            k *= step
            t += a[k]
        k += 1
    return t


def failures(a, indices):
    seen = {}
    for i in range(COUNT):
        try:
            a[indices[i % len(indices)]] += 1
            text = "stored"
        except IndexError as error:
            text = str(error)
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items()), exact(a.sum())


def down(a):
    t = 0
    for i in range(len(a) - 1, -1, -1):
        t = t * 2 % 1000003 + int(a[i])
        a[i] = a[i - 1]
    return t


def around(a, start, stop, step):
    t = 0
    for i in range(start, stop, step):
        t = t * 3 % 65537 + int(a[i])
    return t


def while_moving(a):
    """The step changes within the loop."""
    i, step, t = 0, 1, 0
    while i < len(a):
        t += a[i]
        a[i] = step
        i += step
        if i % 100 == 0:
            step = step % 3 + 1
    return t


def bound_changes(a, n):
    i = t = 0
    while i < n:
        t += a[i]
        if i % 500 == 499:
            n -= 100
        i += 1
    return t, i, n


def two_counters(a, b):
    """Towards each other, then past each other."""
    i, j = 0, len(a) - 1
    t = 0
    while i < len(a):
        a[i], b[j] = b[j], a[i]
        t += a[i] * (i - j)
        i += 1
        j -= 1
    return t


def gathered(a, indices, out):
    for i in range(len(indices)):
        out[i] = a[indices[i]]
        a[indices[-1 - i]] += i % 3
    return out


def huge_slices(a, ends):
    t = 0
    for i in range(COUNT):
        low, high = ends[i % len(ends)], ends[i * 7 % len(ends)]
        part = a[low:high]
        t += len(part) * 3 + len(a[low:]) + len(a[:high]) + len(a[high:low:-1])
        if len(part):
            t += part[0] - part[-1]
    return t


def steps(a, values):
    t = 0
    for i in range(COUNT):
        part = a[:: values[i % len(values)]]
        t += len(part) + part[-1] + part.strides[0]
    return t


for offset in (0, 2**31, 2**62, 2**63 - 1, 2**64, -(2**63), 10**30, np.int64(2**62), np.int32(2**30)):
    print(offset, exact(fresh(by_offset)(A, offset, COUNT)))
for start, step in ((0, 2**40), (7, 2**62), (3, -(2**60)), (5, 10**25), (np.int64(9), 2**33), (1, -1), (2, 3)):
    print(start, step, outcome(fresh(offset_grows), A, start, step, COUNT))
for indices in ([0, 63, 64, -64, -65], [2**31, -(2**31), 2**32, 5], [2**62, 2**63 - 1, -(2**63), 1], [2**64, -(2**64) - 1, 10**40],
                [np.int64(2**62), np.int32(2**31 - 1), np.uint8(255), np.int8(-128)], [np.uint64(2**63 + 1), np.uint64(3)]):
    print(outcome(fresh(failures), A.copy(), indices), outcome(fresh(failures), np.zeros((64, 2)), indices))
print(down(np.arange(COUNT)), fresh(down)(np.arange(COUNT, dtype="u1") % 200), fresh(down)(np.arange(2.0 * COUNT)[::2]))
for start, stop, step in ((0, COUNT, 1), (COUNT - 1, -1, -1), (-1, -COUNT - 1, -1), (0, COUNT + 1, 1), (10, COUNT, 3), (-COUNT, 0, 1)):
    print(start, stop, step, outcome(fresh(around), np.arange(COUNT) % 100, start, stop, step))
print(exact(while_moving(np.arange(9000))), bound_changes(np.arange(6000), 5999), outcome(fresh(bound_changes), np.arange(50), 4000))
print(exact(two_counters(np.arange(COUNT), np.arange(COUNT) * 2)), exact(fresh(two_counters)(*[np.arange(COUNT) * 3.0] * 2)))
for dtype in ("int64", "int32", "uint16", "int8", "uint64"):
    indices = (np.arange(COUNT) * 31 % 120).astype(dtype)
    print(dtype, *digest(fresh(gathered)(np.arange(120) % 9, indices, np.zeros(COUNT))))
    indices[COUNT // 2] = 125
    print(outcome(fresh(gathered), np.arange(120) % 9, indices, np.zeros(COUNT)))
ENDS = [0, 5, -5, 64, 65, -64, -65, 2**31, -(2**31), 2**63 - 1, 2**63, -(2**63), -(2**70), 10**40, None, np.int8(-3), np.uint64(2**63)]
print(exact(fresh(huge_slices)(A, ENDS)), exact(fresh(huge_slices)(A[::2], ENDS)), exact(fresh(huge_slices)(A.astype("f4"), ENDS)))
print(exact(steps(A, [1, 2, -1, 63, 64, 1000, -1000, 2**40, 2**63 - 1, -(2**62), np.int16(5)])), outcome(fresh(steps), A, [1, 2, 0]))
