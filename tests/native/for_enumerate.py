# for over enumerate, with a start
from _harness import drive


def work(n):
    items = list(range(n, 0, -1))
    total = 0
    for i, x in enumerate(items, 5):  # kiln-native
        total += i ^ x
    return total


drive(work)
