# elements of integer arrays as indices of others
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

VALUES = (np.arange(20000) * 7919 % 256).astype(np.uint8)


def work(n):
    values = VALUES
    counts = np.zeros(256, np.int32)
    for i in range(n):  # kiln-native
        counts[values[i]] += 1
    return int(counts[17]), int(counts.sum())


drive(work)
