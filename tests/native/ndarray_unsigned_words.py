# a generator of random numbers in np.uint64, all of its 64 bits used, and its numbers in an array
# kiln-test: needs=numpy
import numpy as np
from _harness import drive


def work(n):
    out = np.zeros(n, np.uint64)
    s = np.uint64(88172645463325252)
    for i in range(n):  # kiln-native
        s ^= s << np.uint64(13)
        s ^= s >> np.uint64(7)
        s ^= s << np.uint64(17)
        out[i] = s ^ np.uint64(1)
    return int(out[n - 1]), int(out[17])


drive(work)
