# Named tuples and other classes with a __new__ of their own.
# kiln-test: libraries=compiled
import collections
import sys
import typing

Point = collections.namedtuple("Point", "x y")
Wide = collections.namedtuple("Wide", "a b c d", defaults=(3, 4))


class Token(typing.NamedTuple):
    kind: str
    value: int = 0

    @property
    def double(self):
        return self.value * 2

    def shifted(self, by):
        return Token(self.kind, self.value + by)


class Vector(Point):
    __slots__ = ()

    def __new__(cls, x, y=1):
        return super().__new__(cls, x, y)

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


class Tagged(Point):
    """Has a dict, too."""


class Pair(tuple):
    def __new__(cls, first, second):
        return tuple.__new__(cls, (first, second))

    @property
    def first(self):
        return self[0]


class Single:
    instance = None

    def __new__(cls, *arguments):
        if cls.instance is None:
            cls.instance = object.__new__(cls)
            cls.instance.made = arguments
        return cls.instance


class Fresh:
    def __new__(cls, value):
        self = super().__new__(cls)
        self.value = value
        return self


class Derived(Fresh):
    pass


class Other:
    def __new__(cls, value):
        return value if value % 3 else object.__new__(cls)


class Base:
    def __new__(cls, value):
        if value < 0:
            return object.__new__(Initialised)
        return object.__new__(cls)


class Initialised(Base):
    def __init__(self, value=None, **more):
        self.value = value
        self.more = more


class Failing:
    def __new__(cls, value):
        if value == 777:
            raise ValueError("no such thing")
        return object.__new__(cls)


def points(n):
    total = 0
    for i in range(n):
        p = Point(i, y=i + 1)
        total += p.x * 2 + p.y
        p = p._replace(x=total & 7)
        total += p[0] + len(p)
        x, y = p
        total += x - y
    return total


def tokens(n):
    total = 0
    kept = []
    for i in range(n):
        token = Token("number", i) if i % 5 else Token("zero")
        if token.kind == "number":
            total += token.value + token.double
        moved = token.shifted(3)
        total += moved.value
        if i % 100 == 0:
            kept.append(moved)
    return total, kept[:3], type(kept[0]).__name__


def vectors(n):
    at = Vector(0)
    for i in range(n):
        at = at + Vector(i, 2)
    return at, type(at) is Vector, at == (at.x, at.y)


def wide(n):
    total = 0
    for i in range(n):
        w = Wide(i, 2) if i % 2 else Wide(i, 2, d=9)
        total += w.a + w.b + w.c + w.d
    return total


def own(n):
    total = 0
    for i in range(n):
        pair = Pair(i, i + 1)
        total += pair.first + pair[1]
        tagged = Tagged(i, i)
        tagged.label = i
        total += tagged.label + tagged.x
        total += Fresh(i).value + Derived(i + 1).value
        total += len(Single(i).made)
        other = Other(i)
        total += other if isinstance(other, int) else 1000
        base = Base(i if i % 50 else -1)
        total += getattr(base, "value", 0) or 0
    return total, Single.instance.made


def initialised(n):
    seen = []
    for i in range(n):
        made = Base(i if i % 50 else -1)
        seen.append(type(made).__name__)
    return seen.count("Initialised"), len(seen), Base(-1).__dict__


def failing(n):
    caught = 0
    for i in range(n):
        try:
            Failing(i)
        except ValueError as error:
            caught += 1
            line = error.__traceback__.tb_next.tb_lineno
    return caught, line


def short(n):
    """A field that the tuple does not have."""
    items = [tuple.__new__(Point, (i, i + 1)) for i in range(n)] + [tuple.__new__(Point, (1,))]
    total = 0
    try:
        for p in items:
            total += p.x + p.y
    except IndexError as error:
        return total, str(error)


def changed(n):
    class Cell(collections.namedtuple("Cell", "a b")):
        __slots__ = ()

    def run(count):
        total = 0
        for i in range(count):
            c = Cell(i, 2)
            total += c.a + c.b
        return total

    results = [run(n)]
    Cell.a = property(lambda self: 100)
    results.append(run(n))
    Cell.__new__ = staticmethod(lambda cls, a, b: tuple.__new__(cls, (b, a)))
    results.append(run(n))
    Cell.__init__ = lambda self, a, b: seen.append(a)
    seen = []
    results.append(run(10))
    return results, seen


def unpacked(n):
    total = 0
    rows = [Point(i, 2 * i) for i in range(100)]
    for i in range(n // 100):
        for x, y in rows:
            total += x * y
        for row in rows:
            for item in row:
                total += item
            total += row.count(4)
    return total


def arguments(n):
    errors = []
    for i in range(n):
        try:
            if i == n - 2:
                Point(1)
            elif i == n - 1:
                Point(1, 2, z=3)
            else:
                Point(i, i)
        except TypeError as error:
            errors.append(str(error))
    return errors


def references(n):
    class Item:
        pass

    item = Item()
    before = sys.getrefcount(item)
    for i in range(n):
        p = Point(item, i)
        q = p.x
    del p, q
    return sys.getrefcount(item) - before


for size in (50, 3000):
    for work in (points, tokens, vectors, wide, own, initialised, short, changed, unpacked, arguments, references):
        print(work.__name__, size, work(size))
print(failing(3000))
print(isinstance(Vector(1), Point), Vector(1), Wide(1, 2)._asdict(), hash(Point(1, 2)) == hash((1, 2)))
