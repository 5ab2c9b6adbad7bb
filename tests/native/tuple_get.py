# Items of a tuple, negative indices too
from _harness import drive


def work(n):
    t = (5, 7, 11, 13)
    total = 0
    for i in range(n):  # kiln-native
        total += t[i & 3] + t[-1]
    return total


drive(work)
