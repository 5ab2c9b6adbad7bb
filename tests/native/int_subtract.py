# int - int, and unary minus
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total = total - i
        total = -total
    return total


drive(work)
