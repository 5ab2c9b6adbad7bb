# continue and break in a loop
from _harness import drive


def work(n):
    total = 0
    limit = n - 3
    for i in range(n):  # kiln-native
        if i & 3 == 0:
            continue
        if i > limit:
            break
        total += i
    return total


drive(work)
