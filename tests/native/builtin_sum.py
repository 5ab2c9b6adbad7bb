# sum of a short list and of a tuple
from _harness import drive


def work(n):
    a = [1, 2, 3, 4]
    t = (1, 2)
    total = 0
    for i in range(n):  # kiln-native
        total += sum(a) + sum(t, 5)
    return total


drive(work)
