# not, and truth of ints, floats and bools
from _harness import drive


def work(n):
    total = 0
    x = 0.0
    flag = True
    for i in range(n):  # kiln-native
        flag = not flag
        if not i & 7:
            total += 1
        if flag:
            total += 2
        if x:
            total += 1
        x = 1.0 - x
    return total


drive(work)
