"""Polymorphic shapes behind an abstract base class."""

import math
import sys
from abc import ABC, abstractmethod

BENCH = {"size": 28_000, "small": 20}


class Shape(ABC):
    def __init__(self, name):
        self.name = name

    @abstractmethod
    def area(self):
        ...

    @abstractmethod
    def perimeter(self):
        ...

    def compactness(self):
        return 4 * math.pi * self.area() / self.perimeter() ** 2

    def __lt__(self, other):
        return self.area() < other.area()


class Circle(Shape):
    def __init__(self, r):
        super().__init__("circle")
        self.r = r

    def area(self):
        return math.pi * self.r ** 2

    def perimeter(self):
        return 2 * math.pi * self.r


class Rectangle(Shape):
    def __init__(self, w, h):
        super().__init__("rectangle")
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h

    def perimeter(self):
        return 2 * (self.w + self.h)


class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side, side)
        self.name = "square"


class Triangle(Shape):
    def __init__(self, a, b, c):
        super().__init__("triangle")
        self.sides = (a, b, c)

    @property
    def half(self):
        return sum(self.sides) / 2

    def area(self):
        s = self.half
        a, b, c = self.sides
        return math.sqrt(s * (s - a) * (s - b) * (s - c))

    def perimeter(self):
        return sum(self.sides)


def make(i):
    kind = i * 7 % 4
    if kind == 0:
        return Circle(i % 9 + 1)
    if kind == 1:
        return Rectangle(i % 5 + 1, i % 7 + 2)
    if kind == 2:
        return Square(i % 6 + 1)
    return Triangle(3 + i % 2, 4, 5)


def run(size):
    shapes = [make(i) for i in range(size)]
    totals = {}
    for shape in shapes:
        totals[shape.name] = totals.get(shape.name, 0.0) + shape.area()
    compact = 0.0
    for _ in range(30):
        for shape in shapes:
            compact += shape.compactness()
    biggest = max(shapes, key=lambda s: s.area())
    ordered = sorted(shapes)
    return round(sum(totals.values()), 3), round(compact, 3), biggest.name, round(ordered[size // 10].area(), 3)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
