# int * int
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total = total * 3 % 1000003 + i * 7
    return total


drive(work)
