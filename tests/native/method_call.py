# methods of the program's classes
from _harness import drive


class Counter:
    def __init__(self):
        self.n = 0

    def add(self, amount, twice=False):
        self.n += 2 * amount if twice else amount
        return self.n


def work(n):
    counter = Counter()
    last = 0
    for i in range(n):  # kiln-native
        last = counter.add(i & 3) + counter.add(1, twice=True)
    return last


drive(work)
