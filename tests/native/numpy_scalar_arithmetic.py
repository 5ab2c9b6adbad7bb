# operators of NumPy scalars of several classes, and comparisons
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

SINGLE = np.linspace(1.0, 2.0, 20000, dtype=np.float32)
WORDS = np.arange(20000, dtype=np.int16)


def work(n):
    single, words = SINGLE, WORDS
    total, above = np.float64(0.0), 0
    for i in range(n):  # kiln-native
        x, k = single[i], words[i]
        total += x * 0.5 + (k % 7 // 2) / 3 - (k & 5)
        if -x < total and k >= 3:
            above += 1
    return total, above


drive(work)
