# a, b = b, a + b without a tuple
from _harness import drive


def work(n):
    a, b = 0, 1
    for i in range(n):  # kiln-native
        a, b = b, (a + b) % 10007
    return a, b


drive(work)
