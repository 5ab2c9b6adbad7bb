# Calls of closures, which are made anew for each round
from _harness import drive


def make(step):
    def scaled(x, k=2):  # kiln-native
        total = 0
        for i in range(k):
            total += x * step
        return total

    return scaled


def work(n):
    scaled = make(3)
    total = 0
    for i in range(n):  # kiln-native
        total += scaled(i) - scaled(i, k=1)
    return total


drive(work)
