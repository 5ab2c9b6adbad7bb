# calls that take all items of a generator: the loops of generator expressions, with free variables and without, and of generators
from _harness import drive


def ramp(n):
    i = 0
    while i < n:
        yield i * 0.5
        i += 1


def work(n):
    shift = 3
    total = 0.0
    for row in range(n // 50):  # kiln-native
        total += sum(i * i for i in range(50))
        total -= sum(ramp(50))
        total += any(i == shift + 40 for i in range(50))
        total += all(i < n for i in range(50))
        if row % 8 == 0:  # containers bring collections, for which compiled code makes way
            total += len(tuple(i + shift for i in range(50))) + len(set(i % shift for i in range(50)))
            total += len("".join("ab" for i in range(50)))
    return total


drive(work)
