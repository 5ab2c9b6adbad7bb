# int % int with both signs
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += (i - 500) % 7 + i % -3
    return total


drive(work)
