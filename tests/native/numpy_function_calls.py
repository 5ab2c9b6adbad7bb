# functions of NumPy's on floats: exp, sin, arctan2, maximum
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

ANGLES = np.linspace(0.1, 3.0, 20000)


def work(n):
    angles = ANGLES
    total = np.float64(0.0)
    for i in range(n):  # kiln-native
        x = angles[i]
        total += np.exp(-x) * np.sin(x) + np.maximum(np.arctan2(x, 2.0), np.log(1.5))
    return total


drive(work)
