# bits of elements shifted, out of the element too
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

VALUES = (np.arange(20000) * 7919 % 65521).astype(np.uint32) * np.uint32(65521)


def work(n):
    values, out = VALUES, np.zeros(n, np.uint32)
    for i in range(n):  # kiln-native
        out[i] = (values[i] << np.uint32(7)) ^ (values[i] >> np.uint32(3)) ^ (values[i] << np.uint32(i & 15))
    return int(out.sum()), int(out[n - 1])


drive(work)
