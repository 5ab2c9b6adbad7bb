# is and is not between ints, None and bools
from _harness import drive


def work(n):
    total = 0
    last = None
    for i in range(n):  # kiln-native
        flag = i & 1 == 0
        if flag is True:
            total += 1
        if last is not None:
            total += last
        last = None if flag else i
    return total


drive(work)
