# for over range(stop) and range(start, stop)
from _harness import drive


def work(n):
    total = 0
    for i in range(5, n + 5):  # kiln-native
        total += i ^ 1
    return total


drive(work)
