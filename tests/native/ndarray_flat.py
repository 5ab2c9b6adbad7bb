# array.flat of arrays in C order: loops, elements at an index, stores; numbers in arrays
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

BLOCK = np.arange(20000.0).reshape(100, 200)
ROW = np.arange(20000)


def work(n):
    block, row = BLOCK[: n // 200].copy(), ROW[:n].copy()
    total = 0.0
    for x in block.flat:  # kiln-native
        total += x * 0.5
    for k in row.flat:  # kiln-native
        total += k & 3
    flat = block.flat
    for i in range(n):  # kiln-native
        flat[i] = flat[-1 - i] + 1.0
        total += flat[i]
    for i in range(n):  # kiln-native
        block.flat[i] = block.flat[-1 - i] - row.flat[i] * 0.25
        total += block.flat[i // 2]
    few = row[:6]
    for i in range(n):  # kiln-native
        if i in few or row[i] in few:
            total += 1
    return total


drive(work)
