# Reads of a module's global
from _harness import drive

step = 3


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += i * step
    return total


drive(work)
