# A function that calls a function that calls a function
from _harness import drive


def low(x):  # kiln-native
    return x & 15


def middle(x):  # kiln-native
    return low(x) + low(x >> 4)


def high(x):  # kiln-native
    return middle(x) * 2 if x & 1 else middle(x)


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += high(i)
    return total


drive(work)
