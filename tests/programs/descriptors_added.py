# What a class has for an attribute becomes a descriptor after loops over its instances were compiled: its class gets __get__,
# __set__ or both, by itself, through a base, or by being another class.
import types


def hot(function, *arguments):
    for _ in range(2500):
        result = function(*arguments)
    return result


def make(body=(), base=object):
    return type("Descriptor", (base,), dict(body))


class Base:
    pass


def get(self, instance, owner):
    return ("got", instance is None, owner.__name__)


stored = []


def put(self, instance, value):
    stored.append(value)


# ---- an instance's own attribute before what its class has

for added in ({"__get__": get}, {"__set__": put}, {"__get__": get, "__set__": put}, {"__delete__": put}):
    D = make()

    class C:
        x = D()

        def __init__(self):
            self.x = 1

    def load():
        return C().x

    def store(c):
        c.x = 5
        return c.__dict__

    c = C()
    print(hot(load), hot(store, c))
    for name, value in added.items():
        setattr(D, name, value)
    try:
        print(load() if len(added) == 2 or "__get__" in added else type(load()).__name__, sorted(store(c).items()))
        print(str(hot(load))[:20], sorted(hot(store, c).items()), len(stored))
    except AttributeError as error:
        print("AttributeError", error)
    stored.clear()

# ---- what the class has, where the instance has nothing

for through_base in (False, True):
    D = make(base=type("Root", (), {}))

    class C:
        x = D()
        y = D()

    def load(c):
        return type(c.x).__name__

    def load_from_class():
        return type(C.x).__name__, type(C.y).__name__

    print(hot(load, C()), hot(load_from_class))
    (D.__base__ if through_base else D).__get__ = get
    print(load(C()), load_from_class(), hot(load, C()), hot(load_from_class))

# ---- in the midst of a loop


def midst(xs, at, change):
    out = []
    for i, x in enumerate(xs):
        if i == at:
            change()
        out.append(x.x)
    return [str(out[i])[:4] for i in (0, at - 1, at, len(xs) - 1)]


D = make()


class C:
    x = D()

    def __init__(self):
        self.x = 7


def become_data():
    D.__get__ = get
    D.__set__ = put


print(midst([C() for _ in range(3000)], 2500, become_data))


# ---- the object in the class gets another class


class Quiet:
    pass


class Loud:
    __get__ = get
    __set__ = put


class C:
    x = Quiet()

    def __init__(self):
        self.__dict__["x"] = 9


def change_class():
    C.__dict__["x"].__class__ = Loud


print(midst([C() for _ in range(3000)], 2500, change_class))

# ---- metaclasses: what the class has, against what its metaclass has

MD = make()


class Meta(type):
    z = MD()


class C(metaclass=Meta):
    z = 3


def load():
    return C.z


print(hot(load))
MD.__get__ = lambda self, instance, owner: "meta"
print(load(), hot(load))
MD.__set__ = put
print(load(), hot(load))
del MD.__set__
print(load(), hot(load))
Meta.z = property(lambda cls: "property")
print(load(), hot(load))
del Meta.z
Meta.__getattribute__ = lambda cls, name: "all"
print(load(), hot(load))
del Meta.__getattribute__

# ---- properties, slots and __getattr__ replaced


class C:
    __slots__ = ("a", "__dict__")
    p = property(lambda self: "old")

    def __init__(self):
        self.a = 1
        self.n = 2


def load(c):
    return c.p, c.a, c.n


c = C()
print(hot(load, c))
C.p = property(lambda self: "new")
print(load(c), hot(load, c))
C.a = property(lambda self: "slot")
print(load(c), hot(load, c))
C.n = property(lambda self: "hidden")
print(load(c), hot(load, c))
C.__getattribute__ = lambda self, name: "any"
print(load(c), hot(load, c))
del C.__getattribute__
del C.n, C.p
C.__getattr__ = lambda self, name: "missing"
print(load(c), hot(load, c))

# ---- modules that become others

m = types.ModuleType("m")
m.value = 1
m.function = lambda: "function"


class Lazy(types.ModuleType):
    value = property(lambda self: "lazy")

    def __getattribute__(self, name):
        return "all" if name == "function" else super().__getattribute__(name)


def load():
    return m.value, m.function


def call():
    return m.value, m.function()


print(hot(load)[0], hot(call))
m.__class__ = Lazy
print(load(), hot(load))

# ---- keys of instance dicts that compare by code of their own


class Key(str):
    asked = 0

    def __eq__(self, other):
        Key.asked += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


class C:
    pass


def load(c):
    return c.k


def store(c):
    c.k = c.k
    return c.k


cs = []
for _ in range(200):
    c = C()
    c.__dict__[Key("k")] = 1
    cs.append(c)
Key.asked = 0
for _ in range(20):
    for c in cs:
        load(c)
        store(c)
print(Key.asked > 0, type(list(cs[0].__dict__)[0]).__name__)
plain = [C() for _ in range(200)]
for c in plain:
    c.k = 2
print(sum(load(c) for _ in range(20) for c in plain), sum(store(c) for _ in range(20) for c in plain))
