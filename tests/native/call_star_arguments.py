# Functions with *args and keyword-only parameters, called by compiled code
from _harness import drive


def norm(*values, scale=1):  # kiln-native
    total = 0
    for value in values:
        total += value * value
    return total * scale


def shift(a, *, by):  # kiln-native
    return a + by


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += norm(i, 1, 2) + norm(i, scale=3) - shift(i, by=5)
    return total


drive(work)
