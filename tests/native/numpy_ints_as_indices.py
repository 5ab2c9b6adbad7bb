# NumPy's ints where Python's are usual: bounds of ranges, and indices of lists, tuples, dicts, texts and bytes
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

STARTS = np.arange(0, 400, 4, dtype=np.int32)
COLUMNS = np.arange(400) * 7 % 100
VALUES = np.linspace(0.0, 1.0, 400)
X = [float(k) for k in range(100)]
NAMES = tuple(range(100))
TABLE = {k: k * 2 for k in range(100)}
TEXT = b"0123456789"


def work(n):
    starts, columns, values, x, names, table, text = STARTS, COLUMNS, VALUES, X[:], NAMES, TABLE, TEXT
    total = 0.0
    for i in range(n):  # kiln-native
        row = i % 99
        for k in range(starts[row], starts[row + 1]):
            total += float(values[k]) * x[columns[k]]
        j = columns[i % 400]
        x[j] = total % 7.0
        total += names[j] + table[j] + text[j % 10]
    return total


drive(work)
