# Negative indices of a list
from _harness import drive


def work(n):
    a = [3, 1, 4, 1, 5, 9, 2, 6]
    total = 0
    for i in range(n):  # kiln-native
        total += a[-1] - a[-(i & 7) - 1]
    return total


drive(work)
