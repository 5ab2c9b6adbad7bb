# named tuples, made and read; an instance made by a __new__
import collections
import typing

from _harness import drive

Point = collections.namedtuple("Point", "x y", defaults=(1,))


class Token(typing.NamedTuple):
    kind: int
    value: float


class Cell:
    __slots__ = ("value",)

    def __new__(cls, value):
        self = super().__new__(cls)
        self.value = value
        return self


def work(n):
    total = 0
    weight = 0.0
    kept = Point(3, 4)
    for i in range(n):  # kiln-native
        p = Point(i & 15, y=i & 7)
        total += p.x * p.y + kept.x
        x, y = p
        total += x - y + kept[1]
        token = Token(i & 3, 0.5)
        if token.kind == 1:
            weight += token.value
        total += Point(i).y + Cell(i).value
        kept = p
    return total, weight, kept


drive(work)
