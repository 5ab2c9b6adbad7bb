# math.floor, ceil, trunc of floats
import math

from _harness import drive


def work(n):
    total = 0
    x = -50.0
    for i in range(n):  # kiln-native
        x += 0.3
        total += math.floor(x) - math.ceil(x) + math.trunc(x)
    return total


drive(work)
