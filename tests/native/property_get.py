# properties with Python getters
from _harness import drive


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @property
    def diameter(self):
        return 2.0 * self.radius


def work(n):
    circle = Circle(0.5)
    total = 0.0
    for i in range(n):  # kiln-native
        total += circle.diameter
    return total


drive(work)
