# a[i] += x
from _harness import drive


def work(n):
    a = [0] * 16
    for i in range(n):  # kiln-native
        a[i & 15] += i
    return a


drive(work)
