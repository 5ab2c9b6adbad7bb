# Which nan comes out: signs and payloads of nans, made, loaded, stored, converted and handed through operators.
# kiln-test: needs=numpy
import struct

import numpy as np
from _arrays import fresh

COUNT = 3200
PATTERNS = {
    "float64": [0x7FF8000000000000, 0xFFF8000000000123, 0x7FF8DEADBEEF0001, 0xFFFFFFFFFFFFFFFF, 0x3FF0000000000000, 0],
    "float32": [0x7FC00000, 0xFFC00123, 0x7FDEAD01, 0xFFFFFFFF, 0x3F800000, 0],
}


def nans(dtype):
    return np.array(PATTERNS[dtype], "u8" if dtype == "float64" else "u4").view(dtype)


def bits(x):
    return x.tobytes().hex() if isinstance(x, np.generic) else struct.pack("<d", x).hex()


def moved(a, b):
    for i in range(COUNT):
        b[i % len(b)] = a[i % len(a)]
    return b.tobytes().hex()


def negated(a):
    out = set()
    for i in range(COUNT):
        out.add(bits(-a[i % len(a)]))
        out.add(bits(abs(a[i % len(a)])))
    return sorted(out)


def added(a):
    out = set()
    for i in range(COUNT):
        x, y = a[i % len(a)], a[i // len(a) % len(a)]
        out.add((bits(x), bits(y), bits(x + y), bits(x - y), bits(y + x)))
    return sorted(out)


def multiplied(a):
    out = set()
    for i in range(COUNT):
        x, y = a[i % len(a)], a[i // len(a) % len(a)]
        out.add((bits(x), bits(y), bits(x * y), bits(x + 1), bits(2.0 * x)))
    return sorted(out)


def made(zero, infinity):
    out = set()
    for i in range(COUNT):
        out.add(bits(zero / zero) + bits(infinity - infinity) + bits(zero * infinity) + bits(infinity % infinity))
    return sorted(out)


def converted(a):
    out = set()
    for i in range(COUNT):
        x = a[i % len(a)]
        out.add((bits(x), bits(float(x)), bits(np.float32(x)), bits(np.float64(x)), bits(x.item())))
    return sorted(out)


def extremes(a):
    out = set()
    for i in range(COUNT):
        x, y = a[i % len(a)], a[i // len(a) % len(a)]
        out.add((bits(x), bits(y), bits(min(x, y)), bits(max(x, y)), bits(x if x > y else y)))
    return sorted(out)


def summed(a):
    t = a[4]
    for i in range(COUNT):
        t = t + a[4] if i < COUNT - 5 else t * a[COUNT - i]
    return bits(t)


np.seterr(invalid="ignore")
for dtype in PATTERNS:
    a = nans(dtype)
    print(dtype, fresh(moved)(a, np.zeros(6, dtype)), fresh(moved)(a.astype(dtype)[::-1], np.zeros(6, dtype)))
    print(fresh(moved)(a, np.zeros(6, "f4" if dtype == "float64" else "f8")), fresh(moved)(a, np.zeros(3, "c16")))
    print(fresh(moved)(a.tolist(), np.zeros(6, dtype)))
    for function in (negated, added, multiplied, converted, extremes, summed):
        print(function.__name__, fresh(function)(a))
    make = np.dtype(dtype).type
    print(fresh(made)(make(0), make(np.inf)))
