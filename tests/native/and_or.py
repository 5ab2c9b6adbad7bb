# and / or as values and as conditions
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        x = i & 3 and i & 12 or 5
        total += x
        if i & 1 and i & 2 or i & 8:
            total += 1
    return total


drive(work)
