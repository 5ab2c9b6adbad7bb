# int >> int, negative values too
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += (i - 1000) >> 2 + (i & 3)
    return total


drive(work)
