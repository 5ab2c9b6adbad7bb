# calls with the items of lists and tuples, which have as many each time
from _harness import drive


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def apply(self, x, y):
        return self.factor * x - y


def first(x, y, *rest):
    return x + len(rest)


def second(x, y=2):
    return x * y


def work(n):
    numbers = [3, 1, 2]
    pairs = [(1, 2), (3, 4)]
    scale = Scale(3)
    total = 0
    for i in range(n):  # kiln-native
        total += first(*numbers)
        total += second(*pairs[i & 1])
        total += scale.apply(*pairs[0])
    return total


drive(work)
