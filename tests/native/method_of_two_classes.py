# one call, methods of two classes
from _harness import drive


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Rectangle:
    def __init__(self, width, height):
        self.width = width
        self.height = height

    def area(self):
        return self.width * self.height


def work(n):
    shapes = [Square(2.0), Rectangle(3.0, 0.5)] * (n // 2)
    total = 0.0
    for shape in shapes:  # kiln-native
        total += shape.area()
    return total


drive(work)
