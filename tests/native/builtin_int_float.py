# int(float), float(int)
from _harness import drive


def work(n):
    total = 0
    x = y = 0.0
    for i in range(n):  # kiln-native
        x += 0.37
        total += int(x)
        y += float(i)
    return total, y


drive(work)
