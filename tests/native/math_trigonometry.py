# math.sin, cos, tan, atan2
import math

from _harness import drive


def work(n):
    total = x = 0.0
    for i in range(n):  # kiln-native
        x += 0.01
        total += math.sin(x) * math.cos(x) + math.tan(x) - math.atan2(x, 2.0)
    return total


drive(work)
