# Classes that are called where compiled code does not know which: locals, registries, class methods; what __init__ does and how it fails
import abc
import sys
import traceback

log = []


class Point:
    def __init__(self, x, y=2):
        self.x = x
        self.y = y

    def total(self):
        return self.x + self.y


class Named(Point):
    def __init__(self, x, *rest, name="none", **more):
        super().__init__(x, len(rest))
        self.name = name
        self.more = sorted(more)


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x
        self.y = -x

    def total(self):
        return self.x * 3 + self.y


class Empty:
    def total(self):
        return 1


class Wrong:
    def __init__(self, x):
        self.x = x

    def total(self):
        return 0


def wrong_init(self, x):
    self.x = x
    return x if x % 2 else None


class Raises:
    def __init__(self, x):
        self.x = x
        if x % 3 == 0:
            raise ValueError(x)

    def __del__(self):
        log.append(("gone", self.x))


class Counts:
    made = 0

    def __new__(cls, x):
        cls.made += 1
        return super().__new__(cls)

    def __init__(self, x):
        self.x = x


class Meta(type):
    def __call__(cls, *arguments):
        log.append(cls.__name__)
        return super().__call__(*arguments)


class Made(metaclass=Meta):
    def __init__(self, x):
        self.x = x


class Shape(abc.ABC):
    def __init__(self, x):
        self.x = x

    @abc.abstractmethod
    def total(self): ...


class Square(Shape):
    def total(self):
        return self.x**2


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append((self.name, sys._getframe(1).f_code.co_name))


class Drops:
    def __init__(self, thing):
        thing = None
        log.append("dropped")


class Chain:
    def __init__(self, depth, kind):
        self.rest = kind(depth - 1, kind) if depth else None


class Refused(Exception):
    def __init__(self, place, text="refused"):
        super().__init__(text)
        self.place = place


def make(kind, *arguments):
    return kind(*arguments)


def one(kind, x):
    return kind(x)


def with_names(kind, x):
    return kind(x, y=x + 1) if kind is Point else kind(x, 1, 2, name="n", width=x)


def totals(kinds, rounds):
    total = 0
    for number in range(rounds):
        thing = kinds[number % len(kinds)](number)
        total += thing.total()
    return total


class Registry:
    kinds = {"point": Point, "slotted": Slotted}

    def make(self, name, x):
        return self.kinds[name](x)

    @classmethod
    def again(cls, kind=None):
        return (kind or cls)()


def failure(kind, *arguments):
    try:
        return type(one(kind, *arguments)).__name__
    except (TypeError, ValueError, RecursionError) as error:
        names = [entry.name for entry in traceback.extract_tb(error.__traceback__)]
        return type(error).__name__, str(error)[:80], names[:4]


def deep(kind):
    depth = 0
    while depth < 2000:
        try:
            kind(depth, kind)
        except RecursionError as error:
            return depth > 100, str(error)[:34]
        depth += 25
    return depth


def ends(rounds):
    for number in range(rounds):
        one(Drops, Ends(number))
        one(Point, Ends(-number))
    return log[-6:]


def locals_of(rounds):
    def local(scale):
        class Local:
            def __init__(self, x):
                self.x = x * scale

        return Local

    total = 0
    for number in range(rounds):
        total += one(local(number % 3), number).x
    return total


def changed(rounds):
    kind = Wrong
    total = 0
    for number in range(rounds):
        if number == rounds // 2:
            Wrong.__init__ = lambda self, x: setattr(self, "x", -x)
        total += one(kind, number).x
    Wrong.__init__ = wrong_init
    return total


def raised(rounds):
    total = 0
    for number in range(rounds):
        try:
            raise one(Refused, number)
        except Refused as error:
            total += error.place
    return total


for rounds in (40, 400, 4000):
    Wrong.__init__ = Point.__init__
    print(totals([Point], rounds), totals([Point, Slotted, Square], rounds), totals([Point, Slotted, Wrong, Square, Named], rounds))
    registry = Registry()
    print(sum(registry.make(("point", "slotted")[number % 2], number).total() for number in range(rounds)), type(registry.again()).__name__)
    things = [with_names((Point, Named)[number % 2], number) for number in range(rounds)]
    print(sum(thing.total() for thing in things), things[-1].more, things[-1].name)
    print(changed(rounds), [failure(Wrong, number) for number in (2, 3)])
    results = [failure(kind, number) for number in range(rounds) for kind in (Raises, Shape, Point, Empty, Counts, Made)][-36:]
    print(results, Counts.made, len(log))
    print([type(make(*given)).__name__ for number in range(rounds) for given in ((Empty,), (Point, 1), (Point, 1, 2), (Named, 1, 2, 3))][-4:])
    print(ends(rounds), locals_of(rounds), raised(rounds))
print(deep(Chain))
