# for over a list of ints
from _harness import drive


def work(n):
    items = list(range(n))
    total = 0
    for x in items:  # kiln-native
        total += x
    return total


drive(work)
