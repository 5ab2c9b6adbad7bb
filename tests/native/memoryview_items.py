# items of memoryviews: of bytes, of floats, with a step; reading, storing, counting down, len
import array

from _harness import drive

TABLE = memoryview(array.array("d", [k * 0.5 for k in range(100)]))
WORDS = memoryview(bytes(range(200))).cast("H")
BACKWARDS = memoryview(array.array("i", range(200)))[::-2]


def work(n):
    table, words, backwards = memoryview(array.array("d", TABLE)), WORDS, BACKWARDS
    marks = memoryview(bytearray(100))
    total = 0.0
    for i in range(n):  # kiln-native
        table[i % 100] += words[-1 - i % 100] * 0.25
        marks[i % 100] = i % 251
        marks[i % 3] ^= 5
        total += backwards[i % 100] + marks[i % 50] + len(table)
    return total, table[7]


drive(work)
