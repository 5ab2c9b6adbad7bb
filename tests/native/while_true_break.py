# while True left by break
from _harness import drive


def work(n):
    total = i = 0
    while True:  # kiln-native
        i += 1
        total ^= i
        if i >= n:
            break
    return total


drive(work)
