# numbers of the module random, and of a generator of its class
import random

from _harness import drive


def work(n):
    random.seed(7)
    own = random.Random(n)
    total = 0.0
    for _ in range(n):  # kiln-native
        if random.random() < 0.5:
            total += own.random()
    return total


drive(work)
