# Items of a list of ints and of floats
from _harness import drive


def work(n):
    a = [3, 1, 4, 1, 5, 9, 2, 6]
    b = [0.5, 1.5, 2.5, 3.5]
    total = 0
    x = 0.0
    for i in range(n):  # kiln-native
        total += a[i & 7]
        x += b[i & 3]
    return total, x


drive(work)
