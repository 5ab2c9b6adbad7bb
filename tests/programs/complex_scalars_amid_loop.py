# Complex NumPy scalars that become infinite, zero or nan, or are divided by zero, in the midst of a hot loop.
# kiln-test: needs=numpy
import warnings

import numpy as np
from _arrays import exact, heard, outcome


def divided_by_zero_at_last(x, y, count):
    t = x
    for i in range(count):
        if i == count - 2:
            y = y - y
        t = x / y
    return t


def grown(x, factor, count):
    for _ in range(count):
        x = x * factor
    return x


for cls in (np.complex64, np.complex128):
    for x in (cls(1), cls(1j), cls(0)):
        result, warned = heard(divided_by_zero_at_last, x, cls(2 - 1j), 3000)
        print(exact(result), warned)
    for factor in (cls(1.5 + 1j), cls(0.25j)):
        result, warned = heard(grown, cls(1 + 1j), factor, 2000)
        print(exact(result), warned[:2])
    with np.errstate(all="raise"):
        for factor in (cls(1.5 + 1j), cls(0.25j), cls(1)):
            print(outcome(grown, cls(1 + 1j), factor, 2000))
warnings.simplefilter("error")
for cls in (np.complex64, np.complex128):
    print(outcome(grown, cls(1 + 1j), cls(1.5 + 1j), 2000))
