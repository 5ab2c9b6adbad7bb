# bool of ints and floats
from _harness import drive


def work(n):
    total = 0
    x = 0.0
    for i in range(n):  # kiln-native
        total += bool(i & 3) + bool(x)
        x = 1.0 - x
    return total


drive(work)
