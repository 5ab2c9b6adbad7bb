"""Attributes at places where more and more classes come, and tuples that end as they are unpacked."""


class Plain:
    def __init__(self, value):
        self.value = value


class Other:
    value = -1

    def __init__(self, value):
        self.first = 0
        self.value = value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class ReadOnly:
    __slots__ = ()

    @property
    def value(self):
        return 7


class Doubled:
    def __init__(self, value):
        self.hidden = value

    @property
    def value(self):
        return 2 * self.hidden

    @value.setter
    def value(self, value):
        log.append(("set", value))
        self.hidden = value


class Asked:
    def __getattr__(self, name):
        return len(name)


class Stubborn:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)


class OfClass:
    value = 11


class InDict:
    def __init__(self, value):
        self.__dict__ = {"value": value}


class Descriptor:
    def __get__(self, instance, owner):
        return 5

    def __set__(self, instance, value):
        log.append(("descriptor", value))


class Described:
    value = Descriptor()


class Dying:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(("gone", self.name))


log = []


def total(things):
    result = 0
    for thing in things:
        result += thing.value
    return result


def store(things, value):
    for thing in things:
        thing.value = value
    return value


def swap(things):
    last = None
    for thing in things:
        last, thing.value = thing.value, None
    return last


def instances():
    made = [Plain(1), Other(2), Slotted(3), Doubled(4), InDict(5), Plain(6), OfClass()]
    stubborn = Stubborn()
    stubborn.value = 20
    return made, [stubborn, Asked(), ReadOnly(), Described()]


def few_then_many():
    made, odd = instances()
    for count in range(1, len(made) + 1):
        for _ in range(60):
            print(total(made[:count]), end=" ") if _ == 59 else total(made[:count])
    print()
    print(total(made + odd))
    for count in range(1, len(made) + 1):
        for number in range(60):
            store(made[:count], number)
        print(total(made[:count]), end=" ")
    print()
    try:
        store(made + odd, 9)
    except AttributeError as error:
        print(error)
    print(total(made), log[-3:])
    log.clear()


def displaced():
    made = [Plain(0), Other(0), Slotted(0), InDict(0)]
    for number in range(300):
        store(made, number)
    for number in range(3):
        store(made, Dying(number))
        print(log)
    store(made, 1)
    print(log)
    log.clear()
    print([swap(made) for _ in range(200)][-1], made[0].value)


def watched():
    class Namespace:
        pass

    names = Namespace()
    names.__dict__ = globals()
    made = [Plain(0), Other(0), names]
    for number in range(300):
        store(made, number)
        assert value == number, (value, number)
    print(value)


def pair(first, second):
    return [(first, second)]


def unpacked(count):
    result = []
    for number in range(count):
        a, b = pair(Dying(number), number).pop()
        result.append(b)
        a, b = pair(a, a).pop()
        c, d = [a, [Dying(-number)]]
        d = c = None
        if number == count - 1:
            print(len(log), log[-2:])
    a = b = None
    print(len(log), log[-1])
    log.clear()
    return sum(result)


def nested(count):
    last = None
    for number in range(count):
        (a, b), *rest = ((Dying(number), number), number)
        a, (b, c) = [last, (b, rest)]
        last = b
    a = None
    print(len(log))
    log.clear()
    return last, c


for _ in range(3):
    few_then_many()
    displaced()
    watched()
    print(unpacked(400), nested(400))
