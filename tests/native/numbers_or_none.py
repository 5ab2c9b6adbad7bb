# locals and arguments that are an int, a float or None from round to round
from _harness import drive


def weighed(a=None, b=None, c=None):
    total = 0
    if a is not None:
        total += a
    if b is not None:
        total -= b
    if c is not None and c > total:
        total = c
    return total


def work(n):
    best = x = y = None
    total = 0.0
    for i in range(n):  # kiln-native
        value = i % 1013
        if value % 5 == 0:
            value = value / 2
        if best is None or value > best:
            best = value
        elif i % 100 == 0:
            best = None
        which = i % 6
        if which == 0:
            x = i
        elif which == 1:
            x = i * 0.5
        elif which == 2:
            x = None
        elif which == 3:
            y = i
        elif which == 4:
            y = None
        if x is not None:
            total += x
        if y is not None:
            total += y
        total += weighed(i if i & 1 else None, i * 0.5 if i & 2 else None, i if i & 4 else None)
    return total


drive(work)
