# Eight paths through one loop body: merged, not exploded
from _harness import drive


def work(n):
    a = b = c = 0
    for i in range(n):  # kiln-native
        if i & 1:
            a += 1
        else:
            b += 1
        if i & 2:
            a += b
        else:
            b -= 1
        if i & 4:
            c += a & 7
        elif i & 8:
            c -= 1
        else:
            c ^= b
    return a, b, c


drive(work)
