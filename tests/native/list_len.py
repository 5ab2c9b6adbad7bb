# len of a list and of a tuple
from _harness import drive


def work(n):
    a = [1, 2, 3]
    t = (1, 2)
    total = 0
    for i in range(n):  # kiln-native
        total += len(a) + len(t)
    return total


drive(work)
