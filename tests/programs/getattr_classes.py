"""Classes with __getattr__ in hot code: what is there is found without it, and what is not, or raises AttributeError, goes to it."""


class Proxy:
    kind = "proxy"
    limit = 7

    def __init__(self, value):
        self.value = value
        self.asked = 0

    def __getattr__(self, name):
        if name == "missing":
            raise AttributeError(name)
        self.asked += 1
        return len(name)

    def get(self, more=0):
        return self.value + more

    @property
    def fails(self):
        raise AttributeError("fails")

    @property
    def doubled(self):
        return self.value * 2

    @classmethod
    def made(cls, value):
        return cls(value)

    @staticmethod
    def plain(a):
        return a + 1


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a

    def __getattr__(self, name):
        return name


class Child(Proxy):
    limit = 9

    def get(self, more=0):
        return super().get(more) + 100


class Watched(Proxy):
    seen = 0

    def __getattribute__(self, name):
        if name == "value":
            Watched.seen += 1
        return object.__getattribute__(self, name)


def reads(item, rounds):
    total = 0
    for i in range(rounds):
        total += item.value + item.get() + item.get(i) + item.limit + item.doubled + item.plain(i)
        total += len(item.kind) + item.unknown + item.fails + item.made(i).value
        if i % 50 == 0:
            item.late = i
        elif i % 50 == 25:
            del item.late
        total += item.late
    return total


def slots(rounds):
    found = []
    for i in range(rounds):
        item = Slotted(i)
        if i % 3 == 0:
            item.b = i
        found.append((item.a, item.b))
    return found[-3:], sum(b == "b" for a, b in found)


def missing(item, rounds):
    caught = 0
    for i in range(rounds):
        try:
            item.missing
        except AttributeError:
            caught += 1
        caught += hasattr(item, "value") + hasattr(item, "missing") + getattr(item, "missing", 2)
    return caught


def values(item, rounds):
    total = 0
    for _ in range(rounds):
        total += item.value + item.get()
    return total


for item in (Proxy(3), Child(4), Watched(5)):
    print(reads(item, 2000), item.asked, missing(item, 1000))
print(Watched.seen, slots(2000))

item = Proxy(2)
print(values(item, 2000), item.asked)
Proxy.__getattribute__ = lambda self, name: 50 if name == "value" else object.__getattribute__(self, name)
print(values(item, 2000))
del Proxy.__getattribute__
print(values(item, 2000))
del item.value
print(values(item, 2000), item.asked)
del Proxy.__getattr__
try:
    print(values(item, 1))
except AttributeError as error:
    print(error)
Proxy.__getattr__ = lambda self, name: 11
print(values(item, 2000))
item.value = 1
item.get = lambda: 1000
print(values(item, 2000))


class Lazy:
    def __getattr__(self, name):
        self.__dict__[name] = made = name * 2
        return made


def lazily(rounds):
    total = 0
    for i in range(rounds):
        item = Lazy()
        total += len(item.first) + len(item.first) + len(item.second)
    return total


print(lazily(2000))
