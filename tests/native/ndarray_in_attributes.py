# arrays and buffers that attributes hold, stored into
# kiln-test: needs=numpy
import numpy as np

from _harness import drive


class Field:
    def __init__(self, n):
        self.grid = np.zeros((n, n))
        self.line = np.zeros(n, dtype=np.int64)
        self.marks = bytearray(n)


def work(n):
    field = Field(16)
    for i in range(n):  # kiln-native
        k = i & 15
        field.grid[k, 3] = i * 0.5
        field.grid[k, 4] += 1.0
        field.line[k] = i
        field.line[k] += 2
        field.marks[k] = i & 255
    return field.grid.sum(), field.line.sum(), bytes(field.marks)


drive(work)
