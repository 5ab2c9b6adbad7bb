# bytes of a bytearray: reading, storing, counting down, len; a sieve
from _harness import drive

TABLE = bytearray(range(256))


def work(n):
    table, marks = TABLE, bytearray(n + 1)
    total = 0
    for i in range(n):  # kiln-native
        marks[i] = table[i & 255] ^ 5
        total += marks[i // 2] + table[-1 - i % 256] + len(marks)
        marks[i // 3] |= 1
    for i in range(2, n):  # kiln-native
        if marks[i] & 1:
            for k in range(i, n, i):  # kiln-native
                marks[k] = 0
            marks[i] = 2
    return total + sum(marks)


drive(work, warm=2000, full=4000)
