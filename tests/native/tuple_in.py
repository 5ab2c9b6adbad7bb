# in and not in on a constant tuple
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        if i & 7 in (1, 3, 5):
            total += 1
        if i & 7 not in (2, 4):
            total += 1
    return total


drive(work)
