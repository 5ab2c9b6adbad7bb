# Items of lists set
from _harness import drive


def work(n):
    a = [0] * 16
    b = [0.0] * 8
    for i in range(n):  # kiln-native
        a[i & 15] = i
        b[i & 7] = i * 0.5
    return a, b


drive(work)
