"""A small ray tracer with a Vector class and operators."""

import math
import sys

BENCH = {"size": 150, "small": 8}


class Vector:
    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z

    def __add__(self, o):
        return Vector(self.x + o.x, self.y + o.y, self.z + o.z)

    def __sub__(self, o):
        return Vector(self.x - o.x, self.y - o.y, self.z - o.z)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k, self.z * k)

    def dot(self, o):
        return self.x * o.x + self.y * o.y + self.z * o.z

    def length(self):
        return math.sqrt(self.dot(self))

    def unit(self):
        return self * (1.0 / self.length())

    def reflect(self, n):
        return self - n * (2.0 * self.dot(n))


class Sphere:
    def __init__(self, centre, radius, colour, shine=0.2):
        self.centre, self.radius, self.colour, self.shine = centre, radius, colour, shine

    def hit(self, origin, direction):
        oc = origin - self.centre
        b = oc.dot(direction)
        disc = b * b - (oc.dot(oc) - self.radius ** 2)
        if disc < 0:
            return None
        t = -b - math.sqrt(disc)
        return t if t > 1e-4 else None

    def normal(self, point):
        return (point - self.centre).unit()


class Floor:
    shine = 0.1

    def __init__(self, y):
        self.y = y

    @property
    def colour(self):
        return Vector(0.6, 0.6, 0.6)

    def hit(self, origin, direction):
        if abs(direction.y) < 1e-6:
            return None
        t = (self.y - origin.y) / direction.y
        return t if t > 1e-4 else None

    def normal(self, point):
        return Vector(0.0, 1.0, 0.0)


class Scene:
    def __init__(self, things, light):
        self.things = things
        self.light = light

    def nearest(self, origin, direction):
        best = None
        best_t = math.inf
        for thing in self.things:
            t = thing.hit(origin, direction)
            if t is not None and t < best_t:
                best, best_t = thing, t
        return best, best_t

    def trace(self, origin, direction, depth=0):
        thing, t = self.nearest(origin, direction)
        if thing is None:
            return Vector(0.2, 0.3, 0.5) * (1.0 - abs(direction.y))
        point = origin + direction * t
        normal = thing.normal(point)
        to_light = (self.light - point).unit()
        blocked, _ = self.nearest(point, to_light)
        light = 0.1 if blocked else max(0.1, normal.dot(to_light))
        colour = thing.colour * light
        if depth < 2 and thing.shine > 0:
            colour = colour + self.trace(point, direction.reflect(normal).unit(), depth + 1) * thing.shine
        return colour


def run(size):
    scene = Scene([
        Sphere(Vector(0.0, 0.0, 5.0), 1.0, Vector(1.0, 0.2, 0.2)), Sphere(Vector(2.0, 0.5, 6.0), 1.5, Vector(0.2, 1.0, 0.2)),
        Sphere(Vector(-2.0, 0.0, 4.0), 1.0, Vector(0.2, 0.2, 1.0), 0.5), Floor(-1.0),
    ], Vector(5.0, 10.0, -5.0))
    eye = Vector(0.0, 0.0, 0.0)
    total = Vector(0.0, 0.0, 0.0)
    half = size * 3 // 4
    for j in range(size):
        for i in range(half * 2):
            direction = Vector((i - half) / half, (size // 2 - j) / half, 1.0).unit()
            total = total + scene.trace(eye, direction)
    return round(total.x, 6), round(total.y, 6), round(total.z, 6)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
