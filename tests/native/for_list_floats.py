# for over a list of floats
from _harness import drive


def work(n):
    items = [i / 8 for i in range(n)]
    total = 0.0
    for x in items:  # kiln-native
        total += x * 0.5
    return total


drive(work)
