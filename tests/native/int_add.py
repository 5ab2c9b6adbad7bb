# int + int
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total = total + i
    return total


drive(work)
