# None in locals, tested with `is`
from _harness import drive


def work(n):
    total = 0
    best = None
    for i in range(n):  # kiln-native
        if best is None or i > best:
            best = i
        if i & 3 == 0:
            best = None
            total += 1
    return total, best


drive(work)
