# for over enumerate(zip(...)) with nested unpacking
from _harness import drive


def work(n):
    first = list(range(n))
    second = tuple(range(n))
    total = 0
    for i, (x, y) in enumerate(zip(first, second)):  # kiln-native
        total += i ^ x - y
    return total


drive(work)
