"""Exceptions that leave compiled code while it holds iterators, ranges and tuples that exist only as their parts."""

import sys


class Stop(BaseException):
    pass


class Fuel:
    def __init__(self, amount):
        self.amount = amount

    def burn(self, value):
        self.amount -= 1
        if self.amount < 0:
            raise Stop(value)


def pairs(value):
    return value if isinstance(value, tuple) else (value, value)


def over_enumerate(fuel, items):
    while True:
        for pair in enumerate(items * 1, 10):
            fuel.burn(pairs(pair)[0])


def over_zip(fuel, items):
    while True:
        for left, right in zip(items * 1, range(3, 300, 2)):
            fuel.burn((left, right))


def over_nested(fuel, items):
    while True:
        for index, (left, right) in enumerate(zip(items * 1, items)):
            for number in range(index):
                limits = range(index, number + 5)
                fuel.burn((index, left, right, number, limits, (limits, left)))


def over_list(fuel, items):
    while True:
        for item in items * 1:
            packed = item, item
            fuel.burn(packed)


def caller(scene, fuel, items):
    for number in range(10**9):
        scene(fuel, items)


def run(scene, amount, items):
    try:
        scene(Fuel(amount), items)
    except Stop as stop:
        trace, lines = stop.__traceback__, []
        while trace is not None:
            lines.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
            trace = trace.tb_next
        print(stop, lines)


def inner(values):
    for index, value in enumerate(values):
        int(value)


def outer(values):
    failed = 0
    for index, value in enumerate(values):
        for other in zip(values, values):
            pass
        try:
            inner([value] * 3)
        except ValueError as error:
            failed += index + len(str(error)) + len(other)
    return failed


for scene in (over_enumerate, over_zip, over_nested, over_list):
    for amount in (5, 500, 5000, 20000):
        held = float("2.5")
        run(scene, amount, [1, held, 3, "q", None, 7])
        print(sys.getrefcount(held))
        run(lambda fuel, items: caller(scene, fuel, items), amount, list(range(9)))
print(outer(["1", "x", "3", "yy"] * 500))

remaining = Fuel(5000)
try:
    while True:
        for at, item in enumerate([1, 2, 3] * 2):
            for limits in zip(range(at), range(5)):
                remaining.burn((at, item, limits))
except Stop as stop:
    print(stop)
