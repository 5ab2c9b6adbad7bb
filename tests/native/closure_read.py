# Reads of a closure's cell
from _harness import drive


def make(step):
    def work(n):
        total = 0
        for i in range(n):  # kiln-native
            total += i & step
        return total

    return work


drive(make(5))
