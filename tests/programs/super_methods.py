"""super() in methods that run hot: through diamonds, with classes that change meanwhile, and where it is no plain method."""

import collections


class Base:
    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x

    def scale(self, factor=2):
        return self.x * factor

    @property
    def twice(self):
        return self.x * 2

    @classmethod
    def make(cls, x):
        return cls(x)


class Left(Base):
    def __init__(self, x):
        super().__init__(x)
        self.left = True

    def get(self):
        return super().get() + 1

    def scale(self, factor=3):
        return super().scale(factor) + super().scale()

    @property
    def twice(self):
        return super().twice + 1

    @classmethod
    def make(cls, x):
        return super().make(x + 1)


class Right(Base):
    def get(self):
        return super().get() * 10


class Both(Left, Right):
    def get(self):
        return super().get() + 100

    def old(self):
        return super(Both, self).get()

    def missing(self):
        return super().nothing()


def total(objects, rounds):
    result = 0
    for i in range(rounds):
        o = objects[i % len(objects)]
        result += o.get() + o.scale() + o.scale(i % 3)
    return result


def properties(objects, rounds):
    result = 0
    for i in range(rounds):
        result += objects[i % len(objects)].twice
    return result


print(total([Left(3)], 4000))
print(total([Left(3), Both(4), Right(5), Base(6)], 4000))
print(properties([Left(1), Both(2)], 3000))
print(sum(Left.make(i).x for i in range(2000)), type(Both.make(1)).__name__)
print(sum(Both(i).old() for i in range(2000)))

# A base changes, then the class's bases, then the instance's class.
old_get = Base.get
Base.get = lambda self: -self.x
print(total([Left(3), Both(4)], 3000))
Base.get = old_get
print(total([Left(3), Both(4)], 3000))
Right.get = lambda self: 7
print(total([Both(4)], 3000))
del Right.get
print(total([Both(4)], 3000))


class Other(Base):
    def get(self):
        return 1000


Left.__bases__ = (Other,)
print(total([Left(3)], 3000))
Left.__bases__ = (Base,)
print(total([Left(3)], 3000))


def changing(rounds):
    o = Left(2)
    result = 0
    for i in range(rounds):
        if i % 700 == 699:
            o.__class__ = Both if type(o) is Left else Left
        result += o.get()
    return result


print(changing(4000))

failures = 0
for i in range(2000):
    try:
        Both(i).missing()
    except AttributeError as error:
        failures += len(str(error))
print(failures)


# A method that is another class's too: its __class__ stays the first one's.
class Borrower(Base):
    get = Left.get


try:
    print(total([Borrower(1)], 10))
except TypeError as error:
    print(error)



class Listed(list):
    def append(self, item):
        super().append(item)
        super().append(-item)

    def __init__(self):
        super().__init__()
        self.name = "listed"

    def __repr__(self):
        return super().__repr__() + self.name


def fill(n):
    listed = Listed()
    for i in range(n):
        listed.append(i)
        if i % 100 == 0:
            listed = Listed()
    return listed


print(len(fill(3050)), repr(fill(3))[:40])

# Functions made again and again, each with a class of its own.
def family(n):
    class A:
        def f(self):
            return n

    class B(A):
        def f(self):
            return super().f() + 1
    return B()


print(sum(family(i).f() for i in range(500)))
o = [family(i) for i in range(3)]
print(sum(o[i % 3].f() for i in range(5000)))


# What built-in classes have, behind classes of the program's.
class Scope(dict):
    def get(self, key, default=None):
        found = super().get(key, default)
        return found if found is not None else -1

    def update(self, *others):
        for other in others:
            super().update(other)

    def keys(self):
        return sorted(super().keys(), key=str)

    @property
    def wide(self):
        return super().__len__() > 3 and super().copy


class Between(dict):
    def get(self, key, default=None):
        return ("between", super().get(key, default))


class Ordered(collections.OrderedDict, Between):
    def get(self, key, default=None):
        return super().get(key, default)

    def pop(self, key):
        return super().pop(key, "none")


class Line(list):
    def append(self, item):
        super().append(item)
        super().append(-item)

    def index(self, item):
        return super().index(item) + 1


class Loud(str):
    def upper(self):
        return super().upper() + "!"

    def split(self, *rest):
        return [Loud(part) for part in super().split(*rest)]


class Counted(set):
    def add(self, item):
        super().add(item)
        return super().__len__()


def run_built_in(rounds):
    scope, ordered, line, counted = Scope(), Ordered(), Line(), Counted()
    total = 0
    for turn in range(rounds):
        scope.update({turn % 7: turn})
        scope.update({str(turn % 3): turn})
        ordered[turn % 5] = turn
        line.append(turn % 11)
        total += scope.get(turn % 9) + len(scope.keys()) + line.index(-(turn % 11)) + counted.add(turn % 13)
        total += len(Loud("a b").upper()) + len(Loud("a b c").split()) + (len(scope.wide()) if scope.wide else 0)
        total += ordered.get(turn % 6)[1] or 0
        if turn % 10 == 9:
            total += ordered.pop(turn % 5) + (ordered.pop(9) == "none")
        if turn == rounds // 2:
            Between.get = lambda self, key, default=None: ("changed", 5)
            Scope.update = dict.update
    try:
        line.index("missing")
    except ValueError as error:
        total += len(str(error))
    try:
        Scope.get([], 1)
    except TypeError as error:
        print(error)
    return total, ordered.get(3), sorted(map(str, scope.items()))


print(run_built_in(3000))
