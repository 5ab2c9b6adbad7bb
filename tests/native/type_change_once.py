# An int that becomes a float in mid-loop
from _harness import drive


def work(n):
    total = 0
    step = 1
    for i in range(n):  # kiln-native
        total += step
        if i == 1000:
            step = 0.5
    return total


drive(work)
