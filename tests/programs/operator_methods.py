"""Operators that the program's classes define, in hot code: both sides, NotImplemented, in-place forms, errors, changes."""

import traceback


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        if isinstance(other, Vec):
            return Vec(self.x + other.x, self.y + other.y)
        return NotImplemented

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vec(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __rsub__(self, number):
        return Vec(number - self.x, number - self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __pow__(self, n):
        return self.x ** n + self.y ** n

    def __getitem__(self, index):
        if index == 0:
            return self.x
        if index == 1:
            return self.y
        raise IndexError("Vec has two parts")

    def __truediv__(self, other):
        return None

    def __xor__(self, other):
        return self._xor(other)

    def _xor(self, other):
        return NotImplemented if other > 120 else other


class InPlace(Vec):
    def __iadd__(self, other):
        self.x += other
        return self


class Number(float):
    def __add__(self, other):
        return "add"

    def __radd__(self, other):
        return "radd"


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __add__(self, other):
        return Money(self.amount + other.amount)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mod__(self, other):
        raise ZeroDivisionError("money does not divide by %r" % other)


def vectors(rounds):
    place, speed = Vec(0.0, 1.0), Vec(0.5, -0.25)
    for i in range(rounds):
        place = place + speed * 0.5
        place += 0.25 * speed
        speed = speed - place * 0.001
    return round(place.x, 9), round(place.y, 9), round(speed @ place, 9), speed ** 2 == speed.x ** 2 + speed.y ** 2


def reflected(rounds):
    v = Vec(1, 2)
    total = 0
    for i in range(rounds):
        w = i - v
        total += w.x * w.y + (2 * v)[1] + v[0] + v[1]
    return total


def not_implemented(rounds):
    v = Vec(1, 2)
    count = 0
    for i in range(rounds):
        try:
            count += 1
            w = v + (i if i % 7 == 3 else v)
            count += w.x
        except TypeError as error:
            text = str(error), traceback.extract_tb(error.__traceback__)[-1].line
    return count, text


def not_implemented_late(rounds):
    v = Vec(1, 2)
    for i in range(rounds):
        v ^ i


def not_implemented_in_place(rounds):
    v = Vec(1, 2)
    for i in range(rounds):
        w = v
        w += v if i < 150 else i


def in_place(rounds):
    v = InPlace(1, 2)
    for i in range(rounds):
        v += i
    return v.x


def none_result(rounds):
    v = Vec(1, 2)
    nones = 0
    for i in range(rounds):
        nones += (v / i) is None
    return nones


def subclasses_of_numbers(rounds):
    n = Number(1.5)
    seen = set()
    for i in range(rounds):
        seen.add((n + 1.0, 1.0 + n, n + n, n * 2.0))
    return seen


def items(rounds):
    v = Vec(3, 4)
    total = 0
    for i in range(rounds):
        try:
            total += v[i % 3]
        except IndexError as error:
            total += 100
            where = [(f.name, f.line) for f in traceback.extract_tb(error.__traceback__)]
    return total, where


def money(rounds):
    return sum(Money(i) for i in range(rounds)).amount


def raising(rounds):
    for i in range(rounds):
        if i > 150:
            Money(3) % i


def changed(rounds):
    v = Vec(1, 1)
    total = 0
    original = Vec.__mul__
    for i in range(rounds):
        if i == 150:
            Vec.__mul__ = lambda self, other: Vec(-1, -1)
        total += (v * i).x
    Vec.__mul__ = original
    return total


def given_iadd_late(rounds):
    v = Vec(1, 1)
    for i in range(rounds):
        if i == 150:
            Vec.__iadd__ = lambda self, other: self
        v += Vec(1, 0)
    del Vec.__iadd__
    return v.x


def attempt(function):
    try:
        print(function.__name__, function(200), flush=True)
    except Exception as error:
        lines = [(f.name, f.lineno - function.__code__.co_firstlineno) for f in traceback.extract_tb(error.__traceback__)]
        print(function.__name__, type(error).__name__, error, lines[1:], flush=True)


for function in (vectors, reflected, not_implemented, not_implemented_late, not_implemented_in_place, in_place, none_result,
                 subclasses_of_numbers, items, money, raising, changed, given_iadd_late):
    attempt(function)
