# numbers drawn from numpy.random, and from generators of its two kinds
# kiln-test: needs=numpy
import numpy as np
from _harness import drive


def drawn(n):
    inside = 0
    for _ in range(n):  # kiln-native
        x = np.random.random()
        y = np.random.rand()
        inside += x * x + y * y < 1.0
    return inside


def walked(n):
    place = 0
    for _ in range(n):  # kiln-native
        place += np.random.randint(0, 2) * 2 - 1
        place += np.random.uniform(-1.0, 1.0) > np.random.normal()
    return place


def of_own(n, older, newer):
    total = 0.0
    for _ in range(n):  # kiln-native
        total += older.normal(0.5, 2.0) + newer.random() + older.random_sample()
    return total


def work(n):
    np.random.seed(n)
    return drawn(n), walked(n), of_own(n, np.random.RandomState(n), np.random.default_rng(n))


drive(work)
