# isinstance with a class and a tuple of classes
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        x = i if i & 1 else 0.5
        if isinstance(x, int):
            total += 1
        if isinstance(x, (float, str)):
            total += 2
    return total


drive(work)
