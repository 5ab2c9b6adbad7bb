# getattr, hasattr, issubclass, id, and attributes of objects of many classes: found without Python code, or by properties, hooks,
# descriptors and metaclasses; classes and instances that change midway.
# kiln-test: libraries=compiled
import abc
import sys

ROUNDS = 3000


class Plain:
    kind = "plain"

    def __init__(self, number):
        self.number = number

    def method(self):
        return self.number

    @staticmethod
    def static():
        return "static"

    @classmethod
    def ofclass(cls):
        return cls.__name__


class Slotted:
    __slots__ = ("number", "unset")

    def __init__(self, number):
        self.number = number


class Property(Plain):
    def __init__(self, number, log):
        self.log = log
        self._number = number

    @property
    def number(self):
        self.log.append("get")
        return self._number


class Hook:
    def __init__(self, log):
        self.log = log

    def __getattr__(self, name):
        self.log.append(name)
        if name == "number":
            return 7
        raise AttributeError(name)


class Every:
    def __init__(self, log):
        object.__setattr__(self, "log", log)

    def __getattribute__(self, name):
        object.__getattribute__(self, "log").append(name)
        return object.__getattribute__(self, name)


class Descriptor:
    def __init__(self, log):
        self.log = log

    def __get__(self, instance, owner):
        self.log.append("descriptor")
        return 11


class Meta(type):
    shared = "of the metaclass"

    @property
    def computed(cls):
        return cls.__name__.lower()

    def made(cls):
        return cls.__name__


class OfMeta(metaclass=Meta):
    number = 3


class Base(abc.ABC):
    pass


@Base.register
class Registered:
    number = 5


def show(value):
    """Functions and methods by their names."""
    return getattr(value, "__qualname__", value) if callable(value) else value


def look(objects, name, count):
    found = []
    for index in range(count):
        value = getattr(objects[index % len(objects)], name, "missing")
        if index < len(objects) or index >= count - len(objects):
            found.append(show(value))
    return found


def look_strictly(objects, name, count):
    found = missing = 0
    for index in range(count):
        try:
            found += show(getattr(objects[index % len(objects)], name)) is not None
        except AttributeError as error:
            missing += 1
            last = str(error)
    return found, missing, last if missing else None


def have(objects, count):
    total = 0
    for index in range(count):
        one = objects[index % len(objects)]
        total += hasattr(one, "number") + 2 * hasattr(one, "method") + 4 * hasattr(one, "unset") + 8 * hasattr(one, "nothing")
    return total


def numbers(objects, count):
    """One access for many classes."""
    total = 0
    for index in range(count):
        total += objects[index % len(objects)].number
    return total


def methods(objects, count):
    total = 0
    for index in range(count):
        total += objects[index % len(objects)].method()
    return total


def classes(kinds, count):
    answers = []
    for index in range(count):
        kind = kinds[index % len(kinds)]
        answer = (issubclass(kind, int), issubclass(kind, (str, Plain)), issubclass(kind, Base), issubclass(kind, type), issubclass(kind, ()))
        name = kind.__name__, kind.__init__ is object.__init__, getattr(kind, "__repr__", None) is object.__repr__
        if index < len(kinds) or index >= count - len(kinds):
            answers.append((answer, name))
    return answers


def wrong_classes(count):
    seen = {}
    for index in range(count):
        try:
            issubclass(index, int) if index % 2 else issubclass(int, index)
        except TypeError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def wrong_names(count):
    seen = {}
    for index in range(count):
        try:
            getattr(index, 5) if index % 2 else hasattr(index, None)
        except TypeError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def changes(count):
    """The class and the instance change under the loop."""

    class Changing:
        value = 1

    one = Changing()
    log = []
    trail = []
    for index in range(count):
        if index == count // 5:
            Changing.value = 2
        elif index == 2 * count // 5:
            one.value = 3
        elif index == 3 * count // 5:
            Changing.value = property(lambda self: log.append("get") or 4)
        elif index == 4 * count // 5:
            Changing.value = Descriptor(log)
            del one.__dict__["value"]
        value = getattr(one, "value", None)
        if not trail or trail[-1] != value:
            trail.append(value)
        assert hasattr(one, "value")
    return trail, len(log)


def identities(count):
    objects = [object() for _ in range(5)]
    table = {id(one): index for index, one in enumerate(objects)}
    total = 0
    for index in range(count):
        one = objects[index % 5]
        total += table[id(one)] + (id(one) == id(objects[(index + 1) % 5])) + (id(index) == id(index))
    return total


def audited(count):
    events = []
    sys.addaudithook(lambda event, arguments: events.append(event) if event == "builtins.id" else None)
    total = identities(count)
    return total, len(events)


log = []
slotted, own = Slotted(2), Plain(4)
own.method = lambda: 9
many = [Plain(1), slotted, Property(6, log), Hook(log), Every(log), OfMeta(), OfMeta, Registered(), 5, "text", sys, own]
for name in ("number", "method", "kind", "static", "ofclass", "unset", "__class__", "shared", "computed", "made", "nothing", "real"):
    print(name, [str(value)[:40] for value in look(many, name, ROUNDS)], look_strictly(many[:-2], name, 600))
print(have(many, ROUNDS), len(log), sorted(set(log)))
log.clear()
print(numbers([Plain(1), slotted, Property(6, log), OfMeta(), Registered(), Hook(log)], ROUNDS), len(log))
print(methods([Plain(1), own, Property(6, log), type("Other", (Plain,), {})(3), type("More", (Plain,), {})(5), type("Last", (Plain,), {})(8)], ROUNDS))
print(classes([int, bool, str, Plain, Property, Registered, Base, Meta, OfMeta, type], ROUNDS))
print(wrong_classes(ROUNDS), wrong_names(ROUNDS))
print(changes(ROUNDS), identities(ROUNDS))
print(audited(ROUNDS))
