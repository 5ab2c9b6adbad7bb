# x if c else y
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += i if i & 1 else -1
        total -= 1 if total > 100 else 2 if i & 2 else 3
    return total


drive(work)
