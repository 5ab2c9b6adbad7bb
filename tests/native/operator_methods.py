# operators of the program's own classes
from _harness import drive


class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __rmul__(self, factor):
        return Vec(self.x * factor, self.y * factor)

    def __getitem__(self, index):
        return self.y if index else self.x


def work(n):
    place = Vec(0.0, 0.0)
    speed = Vec(1.0, 0.5)
    total = 0.0
    for i in range(n):  # kiln-native
        place = place + 0.25 * speed
        total += place[1]
    return place.x + total


drive(work)
