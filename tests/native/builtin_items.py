# items of dicts with keys of several classes: looked for, read, set and deleted
from _harness import drive


def work(n):
    table = {}
    for i in range(n):  # kiln-native
        key = i & 255
        table[key] = i
        if key in table:
            table[key] += 1
        if i & 7 == 0:
            del table[key]
    return len(table)


drive(work)
