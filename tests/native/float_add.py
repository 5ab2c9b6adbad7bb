# float + float and float - float
from _harness import drive


def work(n):
    total = 0.0
    other = 1.0
    for i in range(n):  # kiln-native
        total = total + 0.1
        other = other - total
    return total, other


drive(work)
