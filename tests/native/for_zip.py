# for over zip of two lists
from _harness import drive


def work(n):
    first = list(range(n))
    second = [i & 7 for i in range(n)]
    total = 0
    for x, y in zip(first, second):  # kiln-native
        total += x * y
    return total


drive(work)
