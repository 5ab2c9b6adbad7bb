# divmod unpacked at once
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        q, r = divmod(i - 500, 7)
        total += q * 3 + r
    return total


drive(work)
