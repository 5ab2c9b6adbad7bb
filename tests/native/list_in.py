# in on a short list of ints
from _harness import drive


def work(n):
    a = [1, 3, 5]
    total = 0
    for i in range(n):  # kiln-native
        if i & 7 in a:
            total += 1
    return total


drive(work)
