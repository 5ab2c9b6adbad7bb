# powers of float32 scalars
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

VALUES = np.linspace(0.5, 3.0, 20000).astype(np.float32)
OUT = np.zeros(20000, np.float32)
HALF = np.float32(0.5)


def work(n):
    values, out = VALUES, OUT
    for i in range(n):  # kiln-native
        x = values[i]
        out[i] = x ** np.float32(2) + x**HALF
    return float(out.sum())


drive(work)
