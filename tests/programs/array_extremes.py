"""The least and the greatest number of long arrays, with zeros of both signs, infinities and nans among them."""
# kiln-test: needs=numpy

import numpy as np

N = 5000


def lowest(a):
    low = a[0]
    for i in range(len(a)):
        low = min(low, a[i])
    return low


def highest(a):
    high = a[0]
    for i in range(len(a)):
        high = max(high, a[i])
    return high


base = np.sin(np.arange(N) * 0.7)
for work in lowest, highest:
    for dtype in np.float64, np.float32:
        for _ in range(200):
            work(base.astype(dtype))
        for value in 0.0, -0.0, 2.5, -2.5, float("nan"), float("inf"), -float("inf"):
            for place in 0, 1700, N - 1:
                changed = np.abs(base) if work is lowest else -np.abs(base)
                changed = changed.astype(dtype)
                changed[place] = value
                found = work(changed)
                print(work.__name__, type(found).__name__, repr(float(found)), np.signbit(found), end="; ")
        print()
