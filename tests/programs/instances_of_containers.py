# Instances of classes derived from dict, list, set and exceptions: made by C, initialised by the program; slot wrappers called by name.
# kiln-test: modes=always,quick,default,deopt
import dataclasses


class Named(dict):
    def __init__(self, name, **items):
        super().__init__(**items)
        self.name = name


class Plain(dict):
    def __init__(self, key):
        self[key] = key + 1


class Bare(dict):
    pass


class Pair(list):
    def __init__(self, left, right):
        super().__init__((left, right))

    def __len__(self):
        return super().__len__() + 100


class Chars(set):
    def __init__(self, text):
        super().__init__(text)
        self.text = text


class Loud(dict):
    def __init__(self, key):
        self[key] = 1

    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)

    def __del__(self):
        ended.append(len(self))


class Large(dict):
    def __init__(self, a, b=None, c=None, d=None):
        if b is None:
            b = a + 1
        if c is None:
            c = b + 1
        if d is None:
            d = c + 1
        for index in range(3):
            self[index] = a + b + c + d
        try:
            self["sum"] = sum(self.values())
        except TypeError:
            self["sum"] = None
        self.a = a
        self.b = b
        self.c = c
        self.d = d


class Refusing(list):
    def __init__(self, number):
        self.append(number)
        if number % 7 == 3:
            raise ValueError(number)


class Answering(dict):
    def __init__(self, number):
        return number if number % 5 == 0 else None


class Made(dict):
    def __new__(cls, number):
        made = super().__new__(cls)
        made["new"] = number
        return made

    def __init__(self, number):
        self["init"] = number


class Mixin:
    def __init__(self, *arguments):
        self.arguments = arguments
        super().__init__()


class Mixed(Named, Mixin):
    def __init__(self, name):
        Mixin.__init__(self, name)
        super().__init__(name, a=1)


class Between(Mixin, Bare):
    pass


class Failed(Exception):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int


class Guarded:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)

    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


ended = []


def containers(n):
    total = 0
    for i in range(n):
        named = Named("n", a=i, b=2)
        total += named["a"] + len(named) + len(named.name)
        total += Plain(i)[i] + len(Bare()) + len(Bare(x=i)) + len(Bare([(1, 2)]))
        pair = Pair(i, i + 1)
        total += pair[1] + len(pair)
        chars = Chars("abc")
        total += len(chars) + len(chars.text)
        large = Large(i)
        total += large["sum"] + large.d
        made = Made(i)
        total += made["new"] + made["init"]
        mixed = Mixed("m")
        total += len(mixed.arguments) + len(mixed)
        between = Between(i)
        total += len(between)
    return total


def finalised(n):
    total = 0
    for i in range(n):
        total += Loud(i)[i]
    return total, len(ended), sum(ended)


def refusals(n):
    got = []
    for i in range(n):
        try:
            got.append(Refusing(i)[0])
        except ValueError as error:
            got.append(error.args)
        try:
            got.append(len(Answering(i)))
        except TypeError as error:
            got.append(str(error))
        try:
            Named()
        except TypeError as error:
            got.append(str(error))
        try:
            raise Failed("no", i)
        except Failed as error:
            got.append((error.args, error.code))
    return got[-12:], len(got)


def slots(n):
    total = 0
    for i in range(n):
        items = [i, 2]
        total += items.__len__() + items.__getitem__(0) + (items.__eq__([i, 2]) is True) + list.__len__(items)
        length = items.__len__
        total += length()
        total += Point(i, 1).x
        guarded = Guarded()
        guarded.value = i
        total += guarded.value
        numbers = {}
        dict.__setitem__(numbers, "a", i)
        total += dict.__getitem__(numbers, "a") + int.__add__(i, 3) + (3).__sub__(i) + len(object.__repr__(guarded)) * 0
        try:
            dict.__len__(items)
        except TypeError as error:
            total += len(str(error))
        try:
            dict.__getitem__(numbers, i)
        except KeyError as error:
            total += error.args[0]
        try:
            list.__len__()
        except TypeError as error:
            total += len(str(error))
        try:
            list.__len__(items, 1)
        except TypeError as error:
            total += len(str(error))
    return total


def changed(n):
    class Late(dict):
        def __init__(self, key):
            self[key] = 1

    def other(self, key):
        self[key] = 10

    total = 0
    for i in range(n):
        if i == n // 2:
            Late.__init__ = other
        if i == n // 4 * 3:
            del Late.__init__
            return total, len(Late()), Late({1: 2})
        total += Late(i)[i]
    return total


class Looking(dict):
    def __init__(self):
        found = super(Looking, self)
        super.__init__(found)  # by the frame: it has no arguments
        found.update(a=1)


def looking(n):
    return sum(len(Looking()) for _ in range(n))


class Deep(dict):
    def __init__(self, depth):
        super().__init__()
        if depth > 0:
            self["next"] = Deep(depth - 1)


def recursive(n):
    total = 0
    for i in range(n // 20):
        deep = Deep(i % 30)
        while deep:
            deep = deep["next"]
            total += 1
    try:
        Deep(100_000)
    except RecursionError:
        total += 1
    return total


for function in (containers, finalised, refusals, slots, changed, looking, recursive):
    print(function.__name__, function(400))
    print(function.__name__, function(3000))
