# A function imported from math, and a constant of it
from math import pi, sqrt

from _harness import drive


def work(n):
    total = 0.0
    for i in range(n):  # kiln-native
        total += sqrt(i * pi)
    return total


drive(work)
