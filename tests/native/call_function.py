# Calls of a function that is too large to inline: direct native calls
from _harness import drive


def body(a, b):  # kiln-native
    x = a * 3 + b
    y = a ^ b
    z = 0
    if x > y:
        z = x - y
    elif x < y - 100:
        z = y * 2
    else:
        z = x & y
    for i in range(3):
        z += i * a
        if z > 100000:
            z -= 100000
    w = z % 1009 + x // 7 - y % 13
    return w + x - y + z


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += body(i, total & 1023)
    return total


drive(work)
