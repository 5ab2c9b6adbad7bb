# slices, concatenation, repetition and comparison of lists, tuples and bytes
from _harness import drive


def work(n):
    items = [1, 2, 3, 4]
    pair = (1, 2)
    data = b"bytes"
    total = 0
    for i in range(n):  # kiln-native
        total += len(items[1:3]) + len(items[-2:] * 2) + len(pair + pair) + data[i % 5]
        if items[:2] == [1, 2] and pair < (1, 3) and items != []:
            total += 1
        if data and data[1:] == b"ytes":
            total += 1
    return total


drive(work)
