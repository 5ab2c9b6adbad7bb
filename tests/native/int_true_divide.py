# int / int
from _harness import drive


def work(n):
    total = 0.0
    for i in range(n):  # kiln-native
        total += i / 7
    return total


drive(work)
