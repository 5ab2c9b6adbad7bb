# instances that live from round to round and are handed on, but never get out
from _harness import drive


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


class Cell:
    __slots__ = ("low", "high")

    def __init__(self, low):
        self.low = low

    def widen(self, number):
        if number < self.low:
            self.low = number
        self.high = number


def work(n):
    position = Vec(0.0, 1.0)
    speed = Vec(0.25, -0.5)
    cell = Cell(3)
    total = 0.0
    for i in range(n):  # kiln-native
        position = position + speed * 0.5
        if position.dot(speed) > 100.0:
            position = Vec(0.0, 0.0)
        cell.widen(i & 31)
        total += position.x - cell.low + cell.high
    return total


drive(work)
