# min and max of two and three numbers
from _harness import drive


def work(n):
    total = 0
    x = 0.0
    for i in range(n):  # kiln-native
        total += min(i, 1000) - max(i, 500, total & 7)
        x = max(x, i * 0.5)
    return total, x


drive(work)
