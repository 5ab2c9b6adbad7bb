# round(x) and round(x, digits)
from _harness import drive


def work(n):
    total = 0
    x = y = 0.0
    for i in range(n):  # kiln-native
        x += 0.37
        total += round(x)
        y += round(x, 1)
    return total, y


drive(work)
