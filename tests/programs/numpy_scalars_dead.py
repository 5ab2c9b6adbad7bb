# Locals that are elements of arrays in some rounds and other numbers before, and are not read any more where paths meet: they keep
# their class and value for whoever looks at the frame, and loops are entered with scalars of all classes in them.
# kiln-test: needs=numpy
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128"]


def shown(frame, *names):
    found = [frame.f_locals.get(name, "unbound") for name in names]
    return [(name, type(value).__name__, repr(value)) for name, value in zip(names, found)]


def nearest(points, centres, out, look):
    for i in range(len(points)):
        best = 1e300
        for k in range(len(centres)):
            d = points[i] - centres[k]
            d = d * d
            if d < best:
                best = d
                out[i] = k
        if i == look:
            print(shown(sys._getframe(), "best", "d", "k"))
    return shown(sys._getframe(), "best", "d", "k")


def searched():
    points = np.array([3.5, -0.0, 1e10, 7.25, np.inf, 2.0] * 20)
    for dtype in (np.float64, np.float32):
        for centres in ([1.0, 2.0, 9.0], [], [np.nan, 4.0], [5.0]):
            out = np.full(len(points), -1, np.int32)
            shows = nearest(points.astype(dtype), np.array(centres, dtype), out, 77)
            print(dtype.__name__, shows, out.sum(), out[:6])


# `x` is dead where the loop goes round, and a number, an element, or another element.
def mixed(a, b, count, every):
    x = 0
    total = 0
    for i in range(count):
        if i % every == 0:
            x = a[i % len(a)]
            total += int(x.real)
        elif i % every == 1:
            x = i * 0.5
            total += x > 3
        elif i % every == 2:
            x = b[i % len(b)]
            total += int(x.real)
        else:
            x = i
            total += x
        y = x
        if y == 10**9:
            print("never")
        if i == count - 3:
            print(shown(sys._getframe(), "x", "y"), x is y)
    return type(x).__name__, repr(x), total


def all_classes():
    for first in DTYPES:
        a = np.array([0, 1, 3, 100], first)
        for second in ("int32", "float64", first):
            b = np.array([1, 0, 7], second)
            for every in (1, 2, 3, 5):
                print(first, second, every, mixed(a, b, 61, every))


# The loop is entered with what was in the locals before, and they are overwritten in some rounds only.
def entered(first, second, count, every):
    total = 0
    i = 0
    while i < count:
        if i % every == every - 1:
            first = i * 2
            second = first + 0.5
            total += second
        i += 1
    return total, type(first).__name__, repr(first), type(second).__name__, repr(second)


def entered_with_scalars():
    values = [np.dtype(dtype).type(1) for dtype in DTYPES] + [np.uint64(2**64 - 1), np.int64(-2**63), np.int8(-128), np.float32(0.1), np.float64("nan"),
              np.float64(-0.0), np.float32("inf"), np.float16(1.5), np.float64, np.int8, np.datetime64(5, "s"), np.str_("t"), 3, None, 2.5]
    for value in values:
        for other in (value, 1, np.float64(4.25), np.True_):
            print(entered(value, other, 50, 60), entered(value, other, 50, 9), entered(other, value, 50, 9)[0])


# A class of scalars is itself what a local is.
def classes(a, count):
    kind = np.float64
    shows = []
    for i in range(count):
        if i % 3 == 0:
            kind = a[i % 5]
        elif i % 3 == 1:
            kind = np.float64
        else:
            kind = np.int32
        j = 0
        while j < 20:
            j += 1
            if j == 20 and i % 16 == 0:
                shows.append(shown(sys._getframe(), "kind"))
    return shows


# Two names of one scalar, asked for as objects late.
def two_names(a, count):
    same = 0
    for i in range(count):
        best = worst = 1.0
        for j in range(len(a)):
            if a[j] > best:
                best = worst = a[j]
        frame = sys._getframe().f_locals if i == count - 1 else None
        if frame is not None:
            same += frame["best"] is frame["worst"]
    return same, repr(best), repr(worst)


for _ in range(3):
    searched()
    print(classes(np.arange(5) * 0.5, 90))
    print(two_names(np.array([0.5, 2.5, 1.5, 9.5]), 60), two_names(np.array([0.5]), 60), two_names(np.array([2, 3], np.uint8), 60))
all_classes()
entered_with_scalars()
