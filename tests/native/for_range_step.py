# for over a range with a negative step
from _harness import drive


def work(n):
    total = 0
    for i in range(3 * n, 0, -3):  # kiln-native
        total += i ^ 1
    return total


drive(work)
