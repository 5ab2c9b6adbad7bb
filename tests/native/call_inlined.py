# Calls of a small function
from _harness import drive


def square(x):  # kiln-native
    return x * x


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += square(i) - square(i - 1)
    return total


drive(work)
