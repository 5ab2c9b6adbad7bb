# Sums, differences, doubles and squares of small ints in loops long enough for strips: exact up to the limits, and one beyond them.
# kiln-test: needs=numpy timeout=240
import zlib

import numpy as np
from _arrays import heard, written

LENGTH = 700
LOOP = """
def loop(a, b, c):
    for i in range(len(a)):
        c[i] = {form}
"""
FORMS = ("a[i] + b[i]", "a[i] - b[i]", "2 * a[i]", "a[i] * 2", "a[i] * a[i]", "a[i] + 100", "a[i] - 100", "100 - b[i]",
         "a[i] + b[i] - a[i]", "(a[i] - b[i]) * (a[i] - b[i])", "a[i] * b[i]", "a[i] + 2 * b[i]", "-a[i]")


def values(dtype):
    """Pairs at and about the limits of sums, differences, doubles and squares."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    root = int(np.sqrt(float(high)))
    ends = [low, low + 1, low // 2, low // 2 - 1, high, high - 1, high // 2, high // 2 + 1, root, root + 1, -root, -root - 1, 0, 1, 99, 100, 101]
    ends = [x for x in ends if low <= x <= high]
    return [(x, y) for x in ends for y in (0, 1, x, high - x, high - x + 1, low - x, x - low) if low <= y <= high]


for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"):
    for form in FORMS:
        loop = written(LOOP, form=form)
        a, b, c = (np.zeros(LENGTH, dtype) for _ in range(3))
        a[:] = np.arange(LENGTH) % 3 + 2
        b[:] = np.arange(LENGTH) % 2
        with np.errstate(all="ignore"):
            for _ in range(6):
                result = heard(loop, a, b, c)[0]
        told = []
        for number, (x, y) in enumerate(values(dtype)):
            at = (37 * number + 300) % LENGTH
            kept = a[at], b[at]
            a[at], b[at] = x, y
            c[:] = 0
            result, warned = heard(loop, a, b, c)
            told.append((result, int(c[at]), int(c.sum()), [(count, text[1]) for text, count in warned] if warned else 0))
            a[at], b[at] = kept
        print(dtype, form, len(told), f"{zlib.crc32(repr(told).encode()):08x}", told[::9])
