# Functions that try, and handle what they raise in one call of ten
from _harness import drive

table = {number: number * 2 for number in range(45)}


def find(key):  # kiln-native allow-opaque=BINARY_SUBSCR,POP_EXCEPT
    try:
        value = table[key]
    except KeyError:
        value = -1
    return value


def keep(key, kept):  # kiln-native allow-opaque=BINARY_SUBSCR,POP_EXCEPT
    try:
        kept[key % 7] += key
    except KeyError:
        kept[key % 7] = key


def work(n):
    total = 0
    kept = {}
    for i in range(n):  # kiln-native allow-opaque=BINARY_SUBSCR,POP_EXCEPT
        total += find(i % 50)
        if i % 70 == 0:
            kept = {}
        keep(i, kept)
    return total + len(kept)


drive(work)
