# loops over generators: begun in compiled code or before, in a function, an expression, many short ones
from _harness import drive


def doubled(n):
    for i in range(n):
        yield i * 2


def evens(n):
    i = 0
    while True:
        if i >= n:
            return
        if i % 2 == 0:
            yield i
        i += 1


def work(n):
    total = 0.0
    for x in doubled(n):  # kiln-native
        total += x
    for x in (i * 3 for i in range(n) if i % 3):  # kiln-native
        total += x
    for row in range(n // 20):  # kiln-native
        for x in evens(20):
            total -= x
    return total


drive(work)
