"""A hash of 32-bit ints and a table of them: exclusive or, products, masks and shifts, a store at a hashed place."""

import functools
import sys
import zlib

import numpy as np

BENCH = {"group": "array", "size": 300000, "small": 2000, "kernels": ["spread"]}


SLOTS = 4096


@functools.cache
def keys(n):
    return np.random.RandomState(9).randint(-(2**31), 2**31, n, np.int32)


def spread(keys, table):
    h = np.int64(2166136261)
    for i in range(len(keys)):
        h = ((h ^ keys[i]) * 16777619) & 0xFFFFFFFF
        h ^= h >> 15
        slot = h & (SLOTS - 1)
        table[slot] = (table[slot] ^ h) & 0x7FFFFFFF


def run(n):
    table = np.zeros(SLOTS, np.int32)
    spread(keys(n), table)
    return table


def summary(array):
    return f"{zlib.crc32(array.tobytes()):08x}"


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
