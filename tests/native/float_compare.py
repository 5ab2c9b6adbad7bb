# comparisons of floats
from _harness import drive


def work(n):
    total = 0
    x = y = 0.0
    for i in range(n):  # kiln-native
        x += 0.25
        if x < 400.0:
            total += 1
        if x >= 100.5 and x != 200.0:
            total += 2
        if x > y:
            y += 1.5
    return total, y


drive(work)
