# a < b <= c
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        if 100 < i % 1000 <= 600:
            total += 1
        if 0 <= total < n != 5:
            total += 2
    return total


drive(work)
