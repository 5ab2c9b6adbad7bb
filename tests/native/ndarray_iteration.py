# loops over arrays, enumerate and zip of them
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

VALUES = np.linspace(-1.0, 1.0, 20000)


def work(n):
    total = 0.0
    for x in VALUES[:n]:  # kiln-native
        total += abs(x)
    for i, x in enumerate(VALUES[:n]):  # kiln-native
        total += i * x
    return total


drive(work)
