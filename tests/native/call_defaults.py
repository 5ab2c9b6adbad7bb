# Calls that leave out arguments with defaults
from _harness import drive


def scale(x, factor=3, offset=-1):  # kiln-native
    return x * factor + offset


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += scale(i) + scale(i, 2) + scale(i, 1, 0)
    return total


drive(work)
