# A tuple made and unpacked in every iteration
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        pair = (i, i & 3)
        x, y = pair
        total += x - y
    return total


drive(work)
