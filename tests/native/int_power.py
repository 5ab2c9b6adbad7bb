# int ** int
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += (i & 15) ** 3 + i**2
    return total


drive(work)
