# int << int
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total = (total << 1 ^ i << 3) & 0xFFFFFFFF
    return total


drive(work)
