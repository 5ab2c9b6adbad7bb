# float // float and float % float
from _harness import drive


def work(n):
    total = 0.0
    x = -100.0
    for i in range(n):  # kiln-native
        x += 0.37
        total += x // 1.7 + x % 2.5
    return total


drive(work)
