# while loops with continue, whose code has two headers: in a loop, nested, with break and else
from _harness import drive


def work(n):
    i = total = 0
    while i < n:  # kiln-native
        i += 1
        if i % 3 == 0:
            total += 1
            continue
        j = 0
        while j < i % 7:
            j += 1
            if j == 3:
                continue
            if j == 5:
                break
            total += j
        else:
            if i % 2:
                continue
            total -= 1
        if i % 11 == 0:
            continue
        for k in range(2):
            if k == i % 2:
                continue
            total += k
    return total


drive(work)
