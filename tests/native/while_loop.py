# while with a compound condition
from _harness import drive


def work(n):
    total = i = 0
    while i < n and total >= 0:  # kiln-native
        total += i
        i += 1
    return total


drive(work)
