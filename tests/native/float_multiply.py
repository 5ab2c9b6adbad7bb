# float * float and float / float
from _harness import drive


def work(n):
    total = 0.0
    other = 1.0
    for i in range(n):  # kiln-native
        total = total * 0.999 + 1.5
        other = other / 1.001 + total * 0.01
    return total, other


drive(work)
