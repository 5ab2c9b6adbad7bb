# Objects that nothing holds any more are destroyed in CPython's order, whoever drops them.
import functools
import operator

destroyed = []


class Part:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        destroyed.append(self.name)

    def __index__(self):
        return 1

    def __add__(self, other):
        return 1

    def __eq__(self, other):
        return True

    __hash__ = None

    def __contains__(self, item):
        return True

    def __getitem__(self, key):
        return 1

    def __setitem__(self, key, value):
        pass

    def __delitem__(self, key):
        pass

    def method(self, first, second):
        return 1

    @property
    def value(self):
        return 1

    @value.setter
    def value(self, new):
        pass


class Slotted:
    __slots__ = ("left", "right", "__weakref__")

    def __del__(self):
        destroyed.append("slotted")


def plain(first, second):
    return 1


def rebinding(first, second):
    first = second
    return first is second


class Grown:
    pass


def any_arguments(*arguments, **keywords):
    return len(arguments)


class Callable:
    def __call__(self, *arguments):
        return 1

    def __del__(self):
        destroyed.append("callable")


partial = functools.partial(any_arguments)
getter = operator.attrgetter("name")


def calls():
    partial(Part(1), Part(2), Part(3))
    plain(Part(1), Part(2))
    rebinding(Part(1), Part(2))
    Callable()(Part(1), Part(2))
    Part(1).method(Part(2), Part(3))
    getter(Part(1))
    isinstance(Part(1), Part)


def attributes():
    Part(1).value = Part(2)
    Part(1).value
    Part(1).name = 2
    Part(1).other = Part(2)
    slotted = Slotted()
    slotted.left = Part(1)
    slotted.right = Part(2)
    slotted.left = Part(3)
    del slotted
    grown = Grown()
    grown.one = Part(1)
    grown.two = Part(2)
    grown.one = grown.two = None


def operators():
    Part(1) + Part(2)
    Part(1) == Part(2)
    Part(1) in Part(2)
    Part(1) is Part(2)
    not Part(1)


def items():
    Part(1)[Part(2)]
    Part(1)[Part(2)] = Part(3)
    del Part(1)[Part(2)]
    Part(1)[0] = Part(2)
    numbers = [Part(1), Part(2)]
    numbers[0] = Part(3)
    numbers[0] = None
    pair = {0: Part(4), 1: Part(5)}
    pair[0] = Part(6)
    del pair[1]
    [10, 20][Part(1)]


def containers():
    [Part(1), Part(2)]
    (Part(1), Part(2))
    {0: Part(1), 1: Part(2)}
    first, second = Part(1), Part(2)
    first, second = second, first
    (first, second), third = (Part(3), Part(4)), Part(5)
    for part in [Part(6), Part(7)]:
        pass
    del part
    [each.name for each in (Part(8), Part(9))]
    f"{Part(1).name} {Part(2).name}"


def run(kind, times):
    orders = set()
    for _ in range(times):
        destroyed.clear()
        kind()
        orders.add(tuple(destroyed))
    print(kind.__name__, *sorted(orders))


for kind in (calls, attributes, operators, items, containers):
    run(kind, 3000)
