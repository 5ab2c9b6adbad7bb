# Which object a NumPy scalar is, under several names and in containers; numpy.True_ and numpy.False_ are always the same.
# kiln-test: needs=numpy modes=default,deopt env=KILN_TIER=thorough
import sys

import numpy as np


def names(a):
    same = 0
    kept = []
    for i in range(len(a)):
        x = a[i]
        y = x
        z = a[i]
        kept.append(x)
        pair = (x, y)
        table = {0: x}
        same += (y is x) + (kept[-1] is x) + (x is z) + (pair[0] is pair[1]) + (table[0] is y)
    return same, len(kept), type(kept[5]).__name__, kept[7] == a[7]


before = sys.getrefcount(np.True_), sys.getrefcount(np.False_)
for _ in range(3):
    for values in (np.arange(3000.0), np.arange(3000) % 2 == 0, np.arange(3000, dtype=np.int16)):
        print(names(values))
after = sys.getrefcount(np.True_), sys.getrefcount(np.False_)
print([abs(a - b) < 50 for a, b in zip(before, after)])
