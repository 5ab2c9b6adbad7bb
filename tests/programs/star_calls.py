"""Calls with `*items` and `**names`, in loops, wrappers and methods."""

import functools
import sys
import traceback


def add(a, b=10, *rest, c=0, **more):
    return a + b + sum(rest) + c + len(more)


def passed_on(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


def with_names(function):
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


def counted(function):
    def wrapper(*args):
        wrapper.calls += 1
        return function(*args)
    wrapper.calls = 0
    return wrapper


@passed_on
def square(x):
    return x * x


@counted
@passed_on
def difference(a, b):
    return a - b


@with_names
def scaled(x, factor=2):
    return x * factor


@passed_on
def failing(x):
    if x % 50 == 49:
        raise ValueError(x)
    return x


@passed_on
def shown(x):
    return sys._getframe(1).f_code.co_name, sys._getframe(1).f_locals["args"], x


@passed_on
def numbers(count):
    for number in range(count):
        yield number


class Machine:
    def __init__(self):
        self.total = 0
        self.handlers = {"add": self.add, "sub": self.sub, "nop": self.nop}

    def add(self, a, b):
        self.total += a * b

    def sub(self, a):
        self.total -= a

    def nop(self):
        pass

    def run(self, program):
        for operation, *operands in program:
            self.handlers[operation](*operands)
        return self.total


class Meta(type):
    def __call__(cls, *args, **kwargs):
        return super().__call__(*args, **kwargs)


class Point(metaclass=Meta):
    def __init__(self, x, y=0):
        self.x, self.y = x, y


def loops(rounds):
    total = 0
    pair = (1, 2)
    triple = [3, 4, 5]
    names = {"c": 4, "d": 5}
    for number in range(rounds):
        total += add(*pair) + add(*triple) + add(number, *pair) + add(*pair, **names) + add(*range(3), c=number)
        total += square(number) + difference(number, 1) + scaled(number) + scaled(number, factor=3)
        total += max(*triple) + Point(*pair).y + Point(number, **{"y": 1}).x
        total += sum(numbers(3))
    return total


def caught(rounds):
    seen = []
    for number in range(rounds):
        try:
            failing(number)
        except ValueError as error:
            seen.append((error.args, [(f.name, f.line) for f in traceback.extract_tb(error.__traceback__)]))
    return seen


def wrong(rounds, function, *operands):
    texts = set()
    for _ in range(rounds):
        try:
            function(*operands)
        except TypeError as error:
            texts.add(str(error))
    return sorted(texts)


def not_iterable(rounds):
    texts = set()
    for number in range(rounds):
        try:
            add(*number)
        except TypeError as error:
            texts.add(str(error))
        try:
            add(1, **{1: 2})
        except TypeError as error:
            texts.add(str(error))
        try:
            add(1, **{"a": 2})
        except TypeError as error:
            texts.add(str(error))
    return sorted(texts)


class Iterates:
    def __init__(self, log):
        self.log = log

    def __iter__(self):
        self.log.append(sys._getframe(1).f_code.co_name)
        return iter((1, 2))

    def keys(self):
        return ["c"]

    def __getitem__(self, name):
        return 7


def iterated(rounds):
    log = []
    total = 0
    for _ in range(rounds):
        total += add(*Iterates(log), **Iterates(log))
    return total, len(log), set(log)


def deep(depth, *rest):
    if depth == 0:
        return len(rest)
    return deep(depth - 1, *rest, depth)


def looked_at(rounds):
    return {shown(number % 3) for number in range(rounds)}


def machine(rounds):
    return Machine().run([("add", 2, 3), ("sub", 1), ("nop",)] * rounds)


for _ in range(3):
    print(loops(300), difference.calls)
    print(caught(300)[-1])
    print(wrong(200, square), wrong(200, add), wrong(200, len, 1, 2), wrong(200, square, 1, 2))
    print(not_iterable(200))
    print(iterated(200))
    print(sum(deep(number % 20) for number in range(300)))
    print(sorted(looked_at(200)))
    print(machine(200))
