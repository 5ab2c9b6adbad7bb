# A sum past 64 bits in most iterations: the site must go generic, not into an exit storm
from _harness import drive


def work(n):
    total = 2**64
    for i in range(n):  # kiln-native allow-opaque=BINARY_OP
        total += i
        total ^= 1
    return total


drive(work, warm=20000, full=100000)  # boxed operations gain little: compiled late
