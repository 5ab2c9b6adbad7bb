# A loop with an else clause inside a hot loop
from _harness import drive


def work(n):
    found = 0
    for i in range(n // 10):  # kiln-native
        for d in range(2, 12):  # kiln-native
            if i % d == d - 1:
                break
        else:
            found += 1
    return found


drive(work, warm=20000, full=50000)
