# A loop that calls more functions than can be told apart, and methods of more classes
from _harness import drive

OPERATIONS = [eval("lambda x, y=%d: x + y" % k) for k in range(9)]


class Shape:
    def __init__(self, size):
        self.size = size


CLASSES = [type("Shape%d" % k, (Shape,), {"area": eval("lambda self, by: self.size * by + %d" % k)}) for k in range(7)]
SHAPES = [cls(index) for index, cls in enumerate(CLASSES)]


def dispatch(rounds):
    total = 0
    for i in range(rounds):  # kiln-native
        total += OPERATIONS[i % 9](i)
    return total


def apply(f, x):  # kiln-native
    return f(x)


def through(rounds):
    total = 0
    for i in range(rounds):  # kiln-native
        total += apply(OPERATIONS[i % 9], i)
    return total


def areas(rounds):
    total = 0
    for i in range(rounds):  # kiln-native
        total += SHAPES[i % 7].area(i)
    return total


def work(n):
    return dispatch(n), through(n), areas(n)


drive(work)
