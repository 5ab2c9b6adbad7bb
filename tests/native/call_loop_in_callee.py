# A hot loop whose callee holds a loop: both count
from _harness import drive


def inner(x):  # kiln-native
    s = 0
    for k in range(10):  # kiln-native
        s += k ^ x
    return s


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += inner(i & 15)
    return total


drive(work, full=5000)
