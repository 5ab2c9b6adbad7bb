# float ** float and float ** int
from _harness import drive


def work(n):
    total = 0.0
    x = 1.0
    for i in range(n):  # kiln-native
        x += 0.001
        total += x**1.5 + x**2 - x**0.5
    return total


drive(work)
