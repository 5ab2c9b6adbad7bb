# `x in a` of arrays, rows and columns: each dtype with numbers of each kind, nans, zeros, limits, other objects.
# kiln-test: needs=numpy
import warnings

import numpy as np
from _arrays import outcome

COUNT = 1200
warnings.simplefilter("ignore")


def contained(a, x):
    found = 0
    for i in range(COUNT):
        found += x in a
        found += 2 * (x not in a)
    return found


def changing(a, wanted):
    found = []
    for i in range(COUNT):
        found.append(wanted[i % len(wanted)] in a)
        if i % 100 == 50:
            a.flat[i % a.size] = i % 7
    return sum(found), found[-5:]


def in_parts(a):
    found = 0
    for i in range(COUNT):
        found += (i % 30 in a[i % 3]) + 2 * (i % 20 in a[:, i % 4]) + 4 * (i % 12 in a[::2, 1:]) + 8 * (a[0, i % 4] in a[1:])
    return found


def elements(a, b):
    found = 0
    for x in a:
        if x in b:
            found += 1
    return found


def caught(a, wanted):
    seen = {}
    for i in range(COUNT):
        try:
            text = str(wanted[i % len(wanted)] in a)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


NEEDLES = [0, 1, -1, 3, 255, 256, -128, 2**31, 2**53 + 1, 2**63 - 1, True, False, 0.0, -0.0, 1.0, 2.5, 0.1, np.nan, np.inf, 1e300, 1j,
           np.int8(3), np.uint8(255), np.int64(-1), np.uint64(2**63), np.float32(0.1), np.float64(0.1), np.bool_(True), np.float16(1), "a", None]
for dtype in "? b B h H i I q Q f d F D e O".split():
    a = np.array([0, 1, 3, 0, 5, 1], dtype)
    found = [outcome(lambda: contained(a, x)) for x in NEEDLES]
    print(dtype, found)
for a in (np.array([0.1, np.nan, -0.0, 2.0**53, np.inf]), np.array([0.1, 3], np.float32), np.array([2**63 - 1, -(2**63), 2**53]), np.zeros(0), np.array(3.0)):
    print([outcome(lambda: contained(a, x)) for x in NEEDLES])
print(contained(np.array([2, 0], np.uint8).view(np.bool_), True), contained(np.array([2, 1], np.uint8).view(np.bool_), False))
print(changing(np.arange(30) + 20, [1, 2, 3, 40]), changing(np.arange(30.0), [1, 2.0, 3, 40]))
print(in_parts(np.arange(12).reshape(3, 4)), in_parts(np.arange(12.0).reshape(3, 4).copy("F")))
print(elements(np.arange(300), np.arange(0, 300, 7)), elements(np.arange(300.0), np.arange(0, 300, 0.5)), elements(np.arange(300, dtype="f"), np.arange(9, dtype="f")))
print(caught(np.arange(4), [1, "a", [1, 2, 3, 0], [1, 2], None, 9]), caught(np.arange(4.0), [1.0, 5]))
