# math.exp, log, pow, hypot
import math

from _harness import drive


def work(n):
    total = 0.0
    x = 1.0
    for i in range(n):  # kiln-native
        x += 0.001
        total += math.exp(-x) + math.log(x) - math.pow(x, 0.3) + math.hypot(x, 2.0)
    return total


drive(work)
