# nonlocal: reads and writes of a cell
from _harness import drive


def make():
    count = 0

    def work(n):
        nonlocal count
        count = 0
        for i in range(n):  # kiln-native
            count += i & 3
        return count

    return work


drive(make())
