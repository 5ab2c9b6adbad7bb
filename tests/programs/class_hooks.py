# What classes are asked as they are made, called and subscripted, in hot code: metaclasses, __init_subclass__, __set_name__,
# __class_getitem__, and what functools and contextlib build of classes and functions.
# kiln-test: libraries=compiled
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, partialmethod, singledispatch, total_ordering


class Registering(type):
    made = []

    def __new__(mcs, name, bases, namespace, **options):
        cls = super().__new__(mcs, name, bases, namespace)
        mcs.made.append(name)
        return cls

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)

    def __call__(cls, *arguments):
        instance = super().__call__(*arguments)
        instance.count = len(arguments)
        return instance

    def __getattr__(cls, name):
        return name.upper()

    def __len__(cls):
        return 42


class Positive:
    def __set_name__(self, owner, name):
        self.key = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__.get(self.key, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(value)
        instance.__dict__[self.key] = value

    def __delete__(self, instance):
        instance.__dict__.pop(self.key, None)


class Base(metaclass=Registering):
    size = Positive()

    def __init__(self, *values):
        self.size = sum(values)

    def __init_subclass__(cls, tag="plain", **options):
        super().__init_subclass__(**options)
        cls.tag = tag

    def __class_getitem__(cls, key):
        return cls.__name__, key


@total_ordering
class Ordered:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    @cached_property
    def double(self):
        return self.value * 2

    def combine(self, a, b=1, *rest, **named):
        return self.value + a + b + sum(rest) + len(named)

    combined = partialmethod(combine, 5, z=1)


@singledispatch
def describe(value):
    return 1


@describe.register
def _(value: int):
    return value


@describe.register
def _(value: list):
    return sum(map(describe, value))


@contextmanager
def noted(log, key):
    log.append(key)
    try:
        yield key
    except ValueError as error:
        log.append(error.args[0])
    finally:
        log.append(-key)


def contexts(i):
    log = []
    with ExitStack() as stack:
        for key in range(i % 3):
            stack.enter_context(noted(log, key))
        stack.callback(log.append, "last")
        with noted(log, 9), suppress(ZeroDivisionError):
            if i % 4 == 0:
                raise ValueError(i)
            if i % 4 == 1:
                1 // 0
    return log


def run(rounds):
    total = 0
    for i in range(rounds):
        kind = type(Base)("Made", (Base,), {}, tag="x" * (i % 3)) if i % 100 == 0 else kind
        instance = kind(*range(i % 4))
        total += instance.size + instance.count + len(kind.tag) + len(kind) + len(Base.anything) + len(kind[i][0])
        try:
            instance.size = -1
        except ValueError as error:
            total += error.args[0]
        del instance.size
        total += instance.size
        a, b = Ordered(i % 7), Ordered(i % 5)
        total += (a >= b) + 2 * (a > b) + 4 * (a <= b) + a.double + a.double + a.combined(b=2)
        total += describe([i, "x", [i, 1.5]])
        total += len(contexts(i))
    return total


print(run(1500), run(700), len(Registering.made))
print(contexts(5), contexts(8))
