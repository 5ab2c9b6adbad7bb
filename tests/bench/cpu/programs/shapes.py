"""Many classes at one place: shapes with methods of their own, dispatch by a visitor, and operators between them."""

import sys

BENCH = {"group": "objects", "size": 4_500, "short_size": 640, "small": 2, "numba": "classes"}


class Shape:
    name = "shape"

    def __init__(self, size):
        self.size = size

    def area(self):
        raise NotImplementedError

    def accept(self, visitor):
        return getattr(visitor, "visit_" + self.name)(self)

    def __lt__(self, other):
        return self.area() < other.area()


class Square(Shape):
    name = "square"

    def area(self):
        return self.size * self.size


class Circle(Shape):
    name = "circle"

    def area(self):
        return 3.14159 * self.size**2


class Rectangle(Shape):
    name = "rectangle"

    def __init__(self, width, height):
        super().__init__(width)
        self.height = height

    def area(self):
        return self.size * self.height


class Group(Shape):
    name = "group"

    def __init__(self, parts):
        super().__init__(len(parts))
        self.parts = parts

    def area(self):
        return sum(part.area() for part in self.parts)


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y


class Perimeter:
    def visit_square(self, shape):
        return 4 * shape.size

    def visit_circle(self, shape):
        return 2 * 3.14159 * shape.size

    def visit_rectangle(self, shape):
        return 2 * (shape.size + shape.height)

    def visit_group(self, shape):
        return sum(part.accept(self) for part in shape.parts)


def scene(step):
    shapes = []
    for number in range(24):
        size = (step + number * 7) % 19 + 1
        kind = number % 4
        if kind == 0:
            shapes.append(Square(size))
        elif kind == 1:
            shapes.append(Circle(size))
        elif kind == 2:
            shapes.append(Rectangle(size, number))
        else:
            shapes.append(Group(shapes[-3:]))
    return shapes


def run(n):
    visitor = Perimeter()
    total = 0.0
    place = Vector(0, 0)
    for step in range(n):
        shapes = scene(step)
        for shape in shapes:
            total += shape.area() + shape.accept(visitor)
            place = place + Vector(shape.size, 1) * 2
            if place == Vector(0, step):
                total += 1
        total -= max(shapes).area()
    return f"{total:.3f} {place.x} {place.y}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
