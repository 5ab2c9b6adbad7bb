# &, | and ^ on ints
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total = (total ^ i) & 0xFFFFFF | i & 3
    return total


drive(work)
