# functions of math and NumPy of scalars, conversions, min and max
# kiln-test: needs=numpy
import math

import numpy as np
from _harness import drive

VALUES = np.linspace(0.0, 100.0, 20000)


def work(n):
    values = VALUES
    total = 0.0
    for i in range(n):  # kiln-native
        x = values[i]
        total += np.sqrt(x) + math.sin(x) + max(x, 50.0) - min(values[0], x) + int(x) + float(np.float32(x)) + np.floor(x)
        if np.isnan(total):
            total = 0.0
    return total


drive(work)
