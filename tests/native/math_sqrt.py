# math.sqrt
import math

from _harness import drive


def work(n):
    total = 0.0
    for i in range(n):  # kiln-native
        total += math.sqrt(i)
    return total


drive(work)
