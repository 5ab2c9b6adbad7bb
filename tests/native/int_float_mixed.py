# arithmetic and comparison of int with float
from _harness import drive


def work(n):
    total = 0.0
    for i in range(n):  # kiln-native
        total += i * 0.5 - i
        if i < total:
            total -= i / 2.5
    return total


drive(work)
