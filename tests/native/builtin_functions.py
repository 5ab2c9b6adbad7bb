# functions and classes of built-ins: conversions, copies, extremes
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += int(str(i)) + len(list((1, 2))) + len(tuple([i])) + len(sorted((3, 1, 2)))
        total += max((1, 2, 3)) + len(repr(1.5)) + (1 if any((0, i)) else 0)
        if type(i) is int:
            total += 1
    return total


drive(work)
