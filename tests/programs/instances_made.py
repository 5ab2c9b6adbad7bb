"""Instances made in hot code: __init__ with all kinds of signatures, ends and accidents."""

import traceback


class Vector:
    def __init__(self, x, y=1.5, *, z=2):
        self.x = x
        self.y = y
        self.z = z


class Empty:
    pass


class Slots:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


class Child(Vector):
    pass


class Counted:
    alive = 0

    def __init__(self):
        Counted.alive += 1

    def __del__(self):
        Counted.alive -= 1


class Wrong:
    def __init__(self, at):
        if at == 150:
            return 1


class Picky:
    def __init__(self, value):
        self.value = value
        if value > 120:
            raise ValueError(value)
        self.checked = True


class Made:
    def __new__(cls, value):
        return value * 2 if value % 2 else super().__new__(cls)

    def __init__(self, value):
        self.value = value


class Collects:
    def __init__(self, n):
        self.items = [n, n + 1]
        self.index = {}


class Meta(type):
    def __call__(cls, *args):
        return ("made by the metaclass", args)


class Special(metaclass=Meta):
    def __init__(self, n):
        self.n = n


def vectors(rounds):
    total = 0
    for i in range(rounds):
        a = Vector(i)
        b = Vector(i, y=2)
        c = Vector(i, z=0.5)
        d = Child(1, 2)
        total += a.x + b.y + c.z + d.z + a.y
    return total, vars(a), vars(c), type(d).__name__


def empties(rounds):
    kept = []
    for i in range(rounds):
        item = Empty()
        item.n = i
        kept.append(item)
    return len({id(item) for item in kept}), sum(item.n for item in kept)


def slots(rounds):
    total = 0
    for i in range(rounds):
        total += Slots(i).a
    return total


def counted(rounds):
    most = 0
    for _ in range(rounds):
        item = Counted()
        most = max(most, item.alive)
    return most, Counted.alive


def wrong(rounds):
    for i in range(rounds):
        Wrong(i)


def picky(rounds):
    seen = 0
    for i in range(rounds):
        try:
            item = Picky(i)
            seen += item.checked
        except ValueError as error:
            frames = [(f.name, f.line) for f in traceback.extract_tb(error.__traceback__)]
            seen += 1000
    return seen, frames


def uncaught_in_init(rounds):
    return sum(Picky(i).value for i in range(rounds))


def arguments(rounds):
    count = 0
    for i in range(rounds):
        try:
            Vector() if i % 3 == 0 else Vector(1, 2, 3) if i % 3 == 1 else Vector(1, w=2)
        except TypeError as error:
            count += len(str(error))
    return count


def made(rounds):
    total = 0
    for i in range(rounds):
        item = Made(i)
        total += item if isinstance(item, int) else item.value
    return total


def collects(rounds):
    total = 0
    for i in range(rounds):
        item = Collects(i)
        item.items.append(i)
        item.index[i] = item
        total += len(item.items) + len(item.index) + item.items[1]
        item.index.clear()
    return total


def special(rounds):
    last = None
    for i in range(rounds):
        last = Special(i)
    return last


def changed(rounds):
    total = 0
    original = Slots.__init__
    for i in range(rounds):
        if i == 150:
            Slots.__init__ = lambda self, a: original(self, -a)
        total += Slots(i).a
    Slots.__init__ = original
    return total


def deep(n):
    class Local:
        def __init__(self, n):
            self.inner = Local(n - 1) if n else None
            self.depth = n

    item = Local(n)
    depth = 0
    while item is not None:
        depth += item.depth
        item = item.inner
    return depth


def attempt(function, *arguments):
    try:
        print(function.__name__, function(*arguments), flush=True)
    except Exception as error:
        places = [(f.name, f.lineno - function.__code__.co_firstlineno) for f in traceback.extract_tb(error.__traceback__)]
        print(function.__name__, type(error).__name__, error, places[1:], flush=True)


for function in (vectors, empties, slots, counted, wrong, picky, uncaught_in_init, arguments, made, collects, special, changed):
    attempt(function, 200)
attempt(deep, 60)
