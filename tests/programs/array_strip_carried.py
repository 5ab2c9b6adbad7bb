"""What rounds of a loop over arrays hand on: the largest and the smallest number, sums whose flags are asked for later, counts of some
rounds; and stores that only some rounds make."""
# kiln-test: needs=numpy modes=thorough,always,default,deopt

import math
import struct
import warnings

import numpy as np

N = 100
INF, NAN = math.inf, math.nan


def bits(x):
    return f"{x!r}:{struct.pack('>d', x).hex()}" if isinstance(x, float) else repr(x)


def largest(a, best):
    for i in range(len(a)):
        best = max(best, a[i])
    return best


def largest_turned(a, best):
    for i in range(len(a)):
        best = max(a[i], best)
    return best


def smallest(a, best):
    for i in range(len(a)):
        best = min(best, a[i])
    return best


def by_branches(a, low, high):
    for i in range(len(a)):
        x = a[i]
        if x < low:
            low = x
        if x >= high:
            high = x
    return low, high


def kept_unless(a, low, high):
    for i in range(len(a)):
        x = a[i]
        if not high >= x:
            high = x
        low = low if low < x else x
    return low, high


def change(a, b):
    most = 0.0
    for i in range(len(a)):
        b[i] = 0.5 * a[i]
        most = max(most, abs(b[i] - a[i]))
    return most


def where(a):
    best = a[0]
    place = 0
    for i in range(len(a)):
        if a[i] > best:
            best = a[i]
            place = i
    return best, place


def running(a, out):
    best = -INF
    for i in range(len(a)):
        best = max(best, a[i])
        out[i] = best
    return best


def arrays():
    plain = np.sin(np.arange(N) * 0.7)
    yield "plain", plain
    yield "negative", -1.0 - np.abs(plain)
    yield "zeros", np.zeros(N)
    yield "minus zeros", -np.zeros(N)
    mixed = -np.abs(plain)
    mixed[40], mixed[41], mixed[70] = -0.0, 0.0, -0.0
    yield "zeros of both signs on top", mixed
    yield "zeros of both signs at the bottom", -mixed
    for place in (0, 1, 17, 50, N - 2, N - 1):
        special = plain.copy()
        special[place] = NAN
        yield f"nan at {place}", special
    special = plain.copy()
    special[3], special[60] = INF, -INF
    yield "infinities", special
    yield "single", plain.astype(np.float32)
    yield "strided", np.repeat(plain, 3)[::3]


for name, array in arrays():
    print(name)
    for first in (0.0, -0.0, 1.5, -1.5, INF, -INF, NAN, array[0]):
        for function in (largest, largest_turned, smallest):
            print(" ", function.__name__, bits(first), bits(function(array, first)), type(function(array, first)).__name__)
    for function in (by_branches, kept_unless):
        for low, high in ((0.0, 0.0), (-0.0, -0.0), (INF, -INF), (array[5], array[5])):
            print(" ", function.__name__, *(bits(x) for x in function(array, low, high)))
    if array.dtype == np.float64:
        print(" ", bits(change(array, np.zeros(N))))
    print(" ", [bits(x) for x in where(array)])
    out = np.zeros(N)
    print(" ", bits(running(array, out)), out.tobytes().hex()[-64:])


def total(a, s):
    for i in range(len(a)):
        s += a[i]
    return s


def weighted(a, b, s):
    for i in range(len(a)):
        s = s - a[i] * b[i]
    return s


def chosen(a, s):
    for i in range(len(a)):
        if a[i] > 0.0:
            s = s + a[i]
    return s


def product(a, p):
    for i in range(len(a)):
        p *= a[i]
    return p


def two(a, s, t):
    for i in range(len(a)):
        s += a[i]
        t += s * s
    return s, t


def warned(function, *arguments):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = function(*arguments)
    print(" ", function.__name__, result, [(w.category.__name__, str(w.message), w.lineno) for w in seen])


def refused(function, *arguments):
    with np.errstate(all="raise"):
        try:
            print(" ", function.__name__, function(*arguments))
        except FloatingPointError as error:
            print(" ", function.__name__, error, error.__traceback__.tb_next.tb_lineno)


huge = np.full(N, 1e306)
tiny = np.full(N, 1e-4)
broken = np.ones(N)
broken[30] = INF
both = broken.copy()
both[60] = -INF
for _ in range(4):
    for array in (np.ones(N), huge, tiny, broken, both, np.full(N, NAN), np.full(N, np.float32(3e37), np.float32)):
        start = array.dtype.type(0)
        for run in (warned, refused):
            run(total, array, start)
            run(weighted, array, array, start)
            run(chosen, array, start)
            run(product, array, array.dtype.type(1))
            run(two, array, start, start)


def relax(d, through):
    for j in range(len(d)):
        if through + d[j] * 2.0 < d[j] * 3.0:
            d[j] = through + d[j] * 2.0


def mark_large(a, out, level):
    count = 0
    for i in range(len(a)):
        if a[i] > level:
            out[i] = 255
            count += 1
            if a[i] > 2 * level:
                count += 2
    return count


def square_some(a, out):
    for i in range(len(a)):
        if a[i] > 3:
            out[i] = a[i] * a[i]
        if a[i] == 4:
            out[i] = out[i] + a[i]


def last_of_each(a, out):
    for i in range(len(a)):
        if a[i] < 0.0:
            out[0] = a[i] * 1e200
        out[1] = a[i] * 2.0


def doubled(a, odd):
    for i in range(len(a)):
        if odd[i]:
            a[i] = a[i] * 10.0


for _ in range(4):
    for scale in (1.0, 1e308):
        d = np.abs(np.cos(np.arange(N) * 1.3)) * scale
        warned(relax, d, scale / 7)
        print(" ", d.tobytes().hex()[:200])
        d = np.cos(np.arange(N) * 1.3) * scale
        out = np.zeros(2)
        warned(last_of_each, d, out)
        print(" ", out)
        odd = np.arange(N) % 3 == 0
        warned(doubled, d, odd)
        print(" ", d[::7])
    ints = (np.arange(N) * 7 % 11).astype(np.uint8)
    out = np.zeros(N, np.uint8)
    print(" ", mark_large(ints, out, 4), out.tobytes().hex())
    for dtype in (np.int8, np.uint8, np.int16, np.int64):
        ints = (np.arange(N) * 7 % 19).astype(dtype)
        out = np.zeros(N, dtype)
        warned(square_some, ints, out)
        print(" ", out.tolist())
        overlapping = np.arange(N + 1).astype(dtype) % 12
        warned(square_some, overlapping[1:], overlapping[:-1])
        print(" ", overlapping.tolist())


def ring(a, out):
    n = len(a)
    for i in range(n):
        out[i] = a[i - 1] + a[(i + 1) % n]


def far(a, out):
    for i in range(len(a)):
        out[i] = a[i - 3] - a[i - 20]


for _ in range(4):
    for size in (1, 2, 20, 21, 40, 100):
        values = np.sin(np.arange(size) * 0.3)
        out = np.zeros(size)
        ring(values, out)
        print(out.tobytes().hex()[-80:])
        try:
            far(values, out)
        except IndexError as error:
            print(error)
        print(out.tobytes().hex()[-80:])


def names_behind(a, out):
    x = before = twice = None
    for i in range(2, len(a)):
        before = i - 1
        twice = 2 * i + 3
        x = a[before]
        out[i] = x + twice
    return i, before, twice, x


for size in (3, 10, 50, 1030, 1100, 2100):
    print(names_behind(np.arange(size) * 0.5, np.zeros(size)))


def squares(a, out):
    for i in range(len(a)):
        out[i] = float(a[i]) ** 2 + a[i] ** 2


state = 12345
for scale in (1.0, 2.0**-19.9, 2.0**19.9, 2.0**30, 2.0**-30, 2.0**-460, 2.0**510):
    values = []
    for _ in range(600):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        values.append((1.0 + (state >> 12) * 2.0**-52) * scale)
    out = np.zeros(len(values))
    squares(np.array(values), out)
    print(hash(out.tobytes()) == hash(np.array([2 * v**2 for v in values]).tobytes()), [v.hex() for v in out[:3]])
