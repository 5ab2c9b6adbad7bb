# -x and +x of floats
from _harness import drive


def work(n):
    total = 0.0
    x = 1.5
    for i in range(n):  # kiln-native
        x = -x
        total += x + +x
    return total


drive(work)
