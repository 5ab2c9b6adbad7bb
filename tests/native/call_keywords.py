# Calls with keyword arguments and keyword-only parameters
from _harness import drive


def mix(a, b=2, *, c=3):  # kiln-native
    return a * b - c


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += mix(i, b=1) + mix(b=2, a=i) + mix(i, c=i & 3)
    return total


drive(work)
