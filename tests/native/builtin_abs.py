# abs of ints and floats
from _harness import drive


def work(n):
    total = 0
    x = 0.0
    for i in range(n):  # kiln-native
        total += abs(i - 1000)
        x += abs(0.5 - i)
    return total, x


drive(work)
