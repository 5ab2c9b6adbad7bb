# elements of float64 arrays: reading, storing, augmented assignment
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

VALUES = np.linspace(0.0, 1.0, 20000)
SUMS = np.zeros(20000)
WHOLE = np.arange(20000)
SINGLES = np.zeros(20000, np.float32)


def work(n):
    values, sums, whole, singles = VALUES, SUMS, WHOLE, SINGLES
    total = 0.0
    for i in range(n):  # kiln-native
        sums[i] = values[i] * 2.0 + values[-1]
        sums[i] -= 0.5
        singles[i] = whole[i]
        total += sums[i] + singles[i]
    return total


drive(work)
