# pow with two and with three arguments
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += pow(i & 15, 3) + pow(i, 5, 1009)
    return total


drive(work)
