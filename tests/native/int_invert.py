# ~ on ints
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += ~i & 255
    return total


drive(work)
