# len of a range, and items of one
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        r = range(i)
        total += len(r)
        if i > 3:
            total += r[2]
    return total


drive(work)
