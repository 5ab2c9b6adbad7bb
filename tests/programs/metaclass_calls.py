# Calls of classes by the __call__ of their metaclasses: what they make and lose, errors, keywords, and metaclasses that change.
# kiln-test: modes=always,quick,default,deopt,gc
import abc
import enum
import gc
import sys
import traceback

gc.freeze()  # what was there before is nothing for the collections of mode gc


class Counting(type):
    def __call__(cls, *arguments, **named):
        cls.made += 1
        return super().__call__(*arguments, **named)


class Point(metaclass=Counting):
    made = 0

    def __init__(self, x, y=2):
        self.x = x
        self.y = y


class Pair(Point):
    made = 0


class Keeping(type):
    known = {}

    def __call__(cls, key):
        try:
            return Keeping.known[cls, key]
        except KeyError:
            found = Keeping.known[cls, key] = type.__call__(cls, key)
            return found


class Word(metaclass=Keeping):
    def __init__(self, key):
        self.key = key


class Color(enum.Enum):
    RED = 1
    GREEN = 2

    @classmethod
    def _missing_(cls, value):
        return cls.RED if value == "red" else None


class Refusing(type):
    def __call__(cls, value):
        if value % 400 == 399:
            raise ValueError(f"{cls.__name__} refuses {value}")
        return value + 1


class Refuser(metaclass=Refusing):
    pass


class Loud:
    ended = 0

    def __del__(self):
        Loud.ended += 1


class Dropping(type):
    def __call__(cls, loud):
        loud = None
        return Loud.ended


class Drop(metaclass=Dropping):
    pass


def points(n):
    total = 0
    for i in range(n):
        total += Point(i).y + Pair(i, y=i % 3).x
    return total, Point.made, Pair.made


def words(n):
    total = 0
    for i in range(n):
        total += Word(i % 5).key + (Word(1) is Word(1))
    return total, len(Keeping.known)


def colors(n):
    found = []
    for i in range(n):
        try:
            color = Color(i % 4)
        except ValueError as error:
            color = str(error)
        if i % 500 < 4:
            found.append(str(color))
    return found, Color("red")


def refused(n):
    total = 0
    for i in range(n):
        try:
            total += Refuser(i)
        except ValueError as error:
            total -= len(traceback.extract_tb(error.__traceback__))
    return total


def dropped(n):
    total = 0
    for i in range(n):
        total += Drop(Loud())  # the argument lives until the call is over
    return total, Loud.ended


def wrong(n):
    texts = set()
    for i in range(n):
        try:
            if i % 3 == 0:
                Word()
            elif i % 3 == 1:
                Word(1, 2)
            else:
                Refuser(value=1, other=2)
        except TypeError as error:
            texts.add(str(error))
    return sorted(texts)


def of_type(cls, n):
    made = set()
    for i in range(n):
        made.add(type(cls(i)).__name__)
    return made


def changed(n):
    seen = []
    for i in range(n):
        seen.append(Refuser(i * 400))
        if i == n // 3:
            Refusing.__call__ = lambda cls, value: "other"
        if i == n // 2:
            del Refusing.__call__
            Refuser.__new__ = lambda cls, value: "plain"
    return [seen[0], seen[n // 3], seen[n // 3 + 1], seen[n // 2 + 1], seen[-1]]


class Plain(type):
    def __call__(cls, i):
        return ("plain", i)


class Other(type):
    def __call__(cls, i):
        return ("other", i)


class Moving(metaclass=Plain):
    pass


def moved(n):
    seen = set()
    for i in range(n):
        seen.add(Moving(i)[0])
        if i == n // 2:
            Moving.__class__ = Other
    return sorted(seen)


class Frames(type):
    def __call__(cls, depth):
        return [sys._getframe(level).f_code.co_name for level in range(depth)]


class Framed(metaclass=Frames):
    pass


def frames(n):
    names = None
    for i in range(n):
        names = Framed(3)
    return names


class Abstract(abc.ABC):
    @abc.abstractmethod
    def size(self):
        ...


def abstract(n):
    count = 0
    for i in range(n):
        try:
            Abstract()
        except TypeError:
            count += 1
    return count


print(points(2000))
print(words(2000))
print(colors(2000))
print(refused(2000))
print(dropped(2000))
print(wrong(2000))
print(of_type(Point, 1500), of_type(Pair, 1500), of_type(Word, 1500), of_type(Color if False else Refuser, 300))
print(frames(2000))
print(abstract(2000))
print(changed(2001))
print(moved(2001))
