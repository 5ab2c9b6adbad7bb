# Functions that find the instance among `*arguments`, as wrappers around methods do.
import functools


def setter(*args, **kwargs):
    args[0].given = args[1:], sorted(kwargs.items())


def setter_only(*args):
    args[0].given = args[1:]


def setter_named(*args, key=1):
    args[0].given = args[1:], key


def setter_rebinds(*args):
    self, *args = args
    self.given = args


def setter_ends(*args):
    self = args[0]
    self.given = args[1:]
    args = None


def around(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        result = function(*args, **kwargs)
        return result

    return inner


class Both:
    __init__ = setter


class Only:
    __init__ = setter_only


class Named:
    __init__ = setter_named


class Rebinds:
    __init__ = setter_rebinds


class Ends:
    __init__ = setter_ends


class Slots:
    __slots__ = ["given"]
    __init__ = setter_only


class Wrapped:
    @around
    def __init__(self, value, other=2):
        self.given = value, other

    @around
    def method(self, value):
        return self.given, value

    @around
    def __getitem__(self, index):
        return self.given[index]

    @around
    def __len__(self):
        return len(self.given)

    @around
    def __eq__(self, other):
        return self.given == other.given

    @around
    def __add__(self, other):
        return self.given + other.given

    @around
    def __call__(self, *values):
        return self.given, values

    @around
    def __contains__(self, value):
        return value in self.given

    @around
    def __enter__(self):
        return self

    @around
    def __exit__(self, *error):
        return False

    @around
    def __iter__(self):
        return iter(self.given)

    @property
    @around
    def first(self):
        return self.given[0]

    @classmethod
    @around
    def make(cls, value):
        return cls(value, other=5)


class Made:
    def __new__(*args):
        made = object.__new__(args[0])
        made.given = args[1:]
        return made


class Child(Wrapped):
    @around
    def __init__(self, value):
        super().__init__(value, 7)


class Anything:
    def method(*args, **kwargs):
        return type(args[0]).__name__, args[1:], kwargs

    def __getitem__(*args):
        return args[1]

    def __len__(*args):
        return len(args)

    def __add__(*args):
        return len(args), args[1]

    def __call__(*args):
        return args[1:]

    def __lt__(*args):
        return len(args) == 2

    @classmethod
    def cls(*args):
        return args[0].__name__, args[1:]


def create(rounds):
    out = None
    for index in range(rounds):
        out = (
            Both(index, k=2).given,
            Only(index).given,
            Named(index, key=3).given,
            Named(index).given,
            Rebinds(index, 2).given,
            Ends(index, 3).given,
            Slots(index, [4]).given,
            Wrapped(index).given,
            Wrapped(index, other=index).given,
            Made(index).given,
            Child(index).given,
        )
    return out


def use(rounds):
    out = None
    for index in range(rounds):
        wrapped = Wrapped(index)
        other = Wrapped.make(index)
        with wrapped as same:
            out = (
                wrapped.method(index),
                wrapped[1],
                len(wrapped),
                wrapped == other,
                wrapped + other,
                wrapped(1, index),
                2 in wrapped,
                same is wrapped,
                list(wrapped),
                wrapped.first,
            )
        anything = Anything()
        out += (anything.method(index, k=1), anything[index], len(anything), anything + index, anything(1, 2), anything < 2, Anything.cls(index))
    return out


def lone(rounds):
    for _ in range(rounds):
        made = Only("abc")
    return made.given


print(create(400))
print(use(400))
print(lone(400))
print([create(3), use(3)][0] == create(3))
