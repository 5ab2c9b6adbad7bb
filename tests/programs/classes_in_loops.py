# Class bodies, decorators, lambdas, dataclasses, metaclasses and imports executed inside hot loops.
import abc
import dataclasses
import functools
import typing


def class_bodies(count):
    total = 0
    for i in range(count):

        class Local:
            value = i
            doubled = value * 2
            items = [value, doubled]

            def get(self):
                return self.value + i

        total += Local().get() + Local.doubled + len(Local.items)
    return total, Local.__qualname__, Local.__module__ == __name__


class Meta(type):
    made = 0

    def __new__(meta, name, bases, namespace, **options):
        Meta.made += 1
        return super().__new__(meta, name, bases, namespace)

    def __call__(cls, *arguments):
        instance = super().__call__(*arguments)
        instance.extra = len(arguments)
        return instance


def metaclasses(count):
    total = 0
    for i in range(count):

        class Thing(metaclass=Meta, option=i):
            def __init__(self, *arguments):
                self.n = len(arguments)

        total += Thing(1, 2).extra + Thing().n
    return total, Meta.made


@dataclasses.dataclass(order=True)
class Item:
    weight: float
    name: str = "x"
    tags: list = dataclasses.field(default_factory=list)


class Point(typing.NamedTuple):
    x: int
    y: int = 0

    def length(self):
        return self.x * self.x + self.y * self.y


def data_objects(count):
    best = Item(-1.0)
    total = 0
    for i in range(count):
        item = Item(i * 7 % 1000 / 3, tags=[i])
        best = max(best, item)
        p = Point(i, 1)
        total += p.length() + p.x + p[1] + (p == (i, 1)) + len(p._replace(y=2))
    return best, total


def counted(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        wrapper.calls += 1
        return function(*arguments, **keywords)

    wrapper.calls = 0
    return wrapper


@counted
def decorated(a, b=1):
    return a * b


@functools.lru_cache(maxsize=50)
def cached(n):
    return n * n


@functools.singledispatch
def describe(x):
    return 1


@describe.register
def _(x: int):
    return 10


@describe.register
def _(x: float):
    return 100


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2

    @functools.cached_property
    def expensive(self):
        return self.side + 1


def functions(count):
    total = 0
    partial = functools.partial(decorated, b=3)
    values = [1, 2.5, "s"]
    for i in range(count):
        total += decorated(i) + partial(2) + cached(i % 60) + describe(values[i % 3])
        total += (lambda x, y=i: x + y)(1) + (lambda *a: len(a))(1, 2, 3)
        s = Square(i % 5)
        total += s.area() + s.expensive + s.expensive
    return total, decorated.calls, cached.cache_info()


def imports(count):
    total = 0
    for i in range(count):
        import math
        from os import path as p

        total += math.floor(2.5) + len(p.sep)
    return total


def abstract_errors(count):
    errors = 0
    for i in range(count):
        try:
            Shape()
        except TypeError as error:
            errors += 1
            text = str(error)
    return errors, text


print(class_bodies(600), metaclasses(300), data_objects(6000), functions(6000), imports(6000), abstract_errors(5000))
for k in range(900):

    class AtModuleLevel:
        number = k


print(
    AtModuleLevel.number,
    sorted([3, 1, 2], key=lambda x: -x),
    functools.reduce(lambda a, b: a + b, range(9000)),
    sum(map(lambda x: x * 2, range(9000))),
)
