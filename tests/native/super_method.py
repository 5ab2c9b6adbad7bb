# super().method() of a class of the program's
from _harness import drive


class Base:
    def __init__(self, x):
        self.x = x

    def get(self, more):
        return self.x + more


class Derived(Base):
    def get(self, more):
        return super().get(more) + 1


def work(n):
    o = Derived(3)
    total = 0
    for i in range(n):  # kiln-native
        total += o.get(i)
    return total


drive(work)
