"""Functions that return what they were given, to callers that throw it away and return it, too: as dataclasses does with classes."""

import dataclasses


class Thing:
    alive = 0

    def __init__(self):
        Thing.alive += 1

    def __del__(self):
        Thing.alive -= 1


def given_back(thing):
    if not hasattr(thing, "parts"):
        return thing
    total = 0
    for pair in thing.parts:
        for left, right in pair:
            total += left * right
    rest = total
    return thing


def outer(thing, number):
    held = [thing]
    given_back(thing)
    return thing


def twice(thing, number):
    given_back(outer(thing, number))
    given_back(thing)
    return given_back(thing)


def fresh(number):
    thing = Thing()
    given_back(outer(thing, number))
    return thing if number % 3 else None


def made(number):
    @dataclasses.dataclass(order=number % 2 == 0)
    class Point:
        x: int
        y: float = 1.0

    return Point(number)


kept = Thing()
for number in range(2000):
    assert outer(kept, number) is kept and twice(kept, number) is kept
    fresh(number)
    if number % 500 == 0:
        print(Thing.alive, made(number))
for number in range(40):
    print(made(number), end=" ")
print(Thing.alive)
