# Setters of properties in loops: what they are given ends when they have returned, what they raise, and classes that change; and lists
# of the program's own classes that are appended to.
import sys


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("ends", self.name)


class Celsius:
    def __init__(self):
        self._degrees = 0
        self.log = []

    @property
    def degrees(self):
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273:
            raise ValueError(value)
        self._degrees = value

    @property
    def fixed(self):
        return 1

    def set_held(self, value):
        value = None
        print("in setter")

    held = property(None, set_held)

    def set_loud(self, value):
        self.log.append(value)
        return Ends("result")

    loud = property(None, set_loud)

    def set_wide(self, value, other=5):
        self._degrees = value + other

    wide = property(None, set_wide)


class Kelvin(Celsius):
    @Celsius.degrees.setter
    def degrees(self, value):
        self._degrees = value - 273


class Slotted:
    __slots__ = ("_x",)

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value * 2


def plain(rounds):
    celsius, kelvin, slotted = Celsius(), Kelvin(), Slotted()
    total = 0
    for index in range(rounds):
        celsius.degrees = index
        kelvin.degrees = index
        slotted.x = index
        celsius.wide = index if index % 5 == 0 else 1.5
        total += celsius.degrees + kelvin.degrees + slotted.x
    print(total)


def several(rounds):
    things = [Celsius(), Kelvin()]
    total = 0
    for index in range(rounds):
        thing = things[index % 2]
        thing.degrees = index
        total += thing._degrees
    print(total)


def raises(rounds):
    celsius = Celsius()
    errors = set()
    for index in range(rounds):
        try:
            celsius.degrees = -index
        except ValueError as error:
            errors.add((error.args[0] // 100, error.__traceback__.tb_next.tb_frame.f_code.co_name))
        try:
            if index % 10 == 0:
                celsius.fixed = index
        except AttributeError as error:
            errors.add(str(error))
    print(len(errors), sorted(map(str, errors))[:3])


def ends(rounds):
    celsius = Celsius()
    for index in range(rounds):
        celsius.held = Ends(("held", index))
        celsius.loud = index
    Celsius().held = Ends("of a new owner")
    print(len(celsius.log))


def new_owners(rounds):
    total = 0
    for index in range(rounds):
        made = Celsius()
        made.degrees = index
        total += made.degrees
    print(total)


def changes(rounds):
    celsius = Celsius()
    kept = Celsius.degrees
    total = 0
    for index in range(rounds):
        if index == rounds // 2:
            Celsius.degrees = property(lambda self: 7, lambda self, value: self.log.append(value))
        celsius.degrees = index
        total += celsius.degrees
    Celsius.degrees = kept
    print(total, len(celsius.log))


def counts(rounds):
    celsius, value = Celsius(), 12345678.5
    before = sys.getrefcount(celsius), sys.getrefcount(value)
    for index in range(rounds):
        celsius.degrees = value
        celsius.wide = value
    celsius.degrees = 0
    print(before == (sys.getrefcount(celsius), sys.getrefcount(value)))


class Items(list):
    def push(self, item):
        self.append(item)


class Named(list):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def push(self, item):
        self.append((self.name, item))


class Other(list):
    def append(self, item):
        super().append(item + 1)

    def push(self, item):
        self.append(item)


def appended(rounds):
    items, named, other, hidden = Items(), Named("named"), Other(), Items()
    for index in range(rounds):
        items.push(index)
        named.push(index)
        other.push(index)
        hidden.push(index)
        if index == rounds // 2:
            hidden.append = lambda item: None
            items.extra = 1
    print(len(items), len(named), sum(other), len(hidden), sum(items), named[-1])


def run(rounds):
    for part in (plain, several, raises, new_owners, changes, counts, appended):
        print(part.__name__)
        part(rounds)


run(60)
ends(20)
run(4000)
