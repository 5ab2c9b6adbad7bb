# random.random() stays a call inside the compiled loop
import random

from _harness import drive


def work(n):
    random.seed(7)
    total = 0
    for i in range(n):  # kiln-native allow-opaque=CALL
        if random.random() < 0.5:
            total += 1
    return total


drive(work, warm=20000, full=40000)  # calls of C functions gain little: compiled late
