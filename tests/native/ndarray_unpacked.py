# rows that are unpacked, slices in steps that vary and go down, parts with another dtype of floats, parts that are added to
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

POINTS = np.arange(60000.0).reshape(20000, 3)
TABLE = np.arange(1000.0).reshape(10, 100)
SINGLE = np.zeros((10, 100), np.float32)


def work(n):
    points, table, single = POINTS, TABLE.copy(), SINGLE.copy()
    total = 0.0
    for i in range(n):  # kiln-native
        x, y, z = points[i]
        total += x * y - z
    for x, y, z in points[:n]:  # kiln-native
        total -= x - y * z
    for i in range(n):  # kiln-native
        step = 2 - i % 2 * 4
        total += table[i % 10, ::step][1] + len(table[i % 10][80:3:-1 - i % 4])
    for i in range(n):  # kiln-native
        single[i % 10, 1:50] = table[i % 7, :49]
        table[i % 10, 50:] = single[i % 10, :50]
        total += single[i % 10, 7]
    return total


drive(work, warm=2000, full=4000)
