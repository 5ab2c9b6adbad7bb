# all six comparisons of ints
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        if i < 100 or i > 1900:
            total += 1
        if i <= total:
            total += 2
        if i >= 50 and i != 77:
            total += 1
        if i == 1000:
            total -= 1
    return total


drive(work)
