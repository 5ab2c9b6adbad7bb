# for over a tuple
from _harness import drive


def work(n):
    items = tuple(range(n))
    total = 0
    for x in items:  # kiln-native
        total += x
    return total


drive(work)
