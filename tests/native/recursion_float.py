# Recursion that carries floats and an accumulator
from _harness import drive


def halve(x, steps):  # kiln-native
    return steps if x < 1.0 else halve(x * 0.5, steps + 1)


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        total += halve(i + 0.5, 0)
    return total


drive(work, full=5000)
