# items of arrays of the module `array`: floats and ints, reading, storing, counting down, len
import array

from _harness import drive

TABLE = array.array("d", [k * 0.5 for k in range(100)])
COUNTS = array.array("i", range(100))
SINGLE = array.array("f", [0.0] * 100)
WORDS = array.array("L", range(100))
LONG = array.array("q", range(100))


def work(n):
    table, counts, single, words, long = array.array("d", TABLE), COUNTS[:], SINGLE[:], WORDS, LONG[:]
    total = 0.0
    for i in range(n):  # kiln-native
        table[i % 100] += counts[-1 - i % 100] * 0.25
        counts[i % 100] = i % 1000
        single[i % 100] = table[i % 7] * 0.1
        long[i % 100] = long[-1 - i % 100] + 1
        total += single[i % 50] + words[i % 100] + len(table)
    return total


drive(work)
