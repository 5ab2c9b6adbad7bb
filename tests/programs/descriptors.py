# Properties, data and non-data descriptors, __getattribute__, __setattr__, classmethods, super() in hot loops.


class Temperature:
    def __init__(self):
        self._c = 0.0

    @property
    def celsius(self):
        return self._c

    @celsius.setter
    def celsius(self, value):
        if value < -273.15:
            raise ValueError(f"too cold: {value}")
        self._c = value

    @celsius.deleter
    def celsius(self):
        self._c = 0.0

    @property
    def broken(self):
        return self.no_such_thing


class Clamp:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        return self if instance is None else getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        setattr(instance, self.name, max(0, min(100, value)))


class NonData:
    def __get__(self, instance, owner):
        return 42


class Gauge:
    level = Clamp()
    answer = NonData()
    total = 0

    @classmethod
    def bump(cls, by):
        cls.total += by
        return cls.total

    @staticmethod
    def double(x):
        return x * 2


class Recorder:
    def __init__(self):
        object.__setattr__(self, "log", 0)

    def __getattribute__(self, name):
        if name.startswith("v"):
            return len(name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        object.__setattr__(self, "log", self.log + 1)

    def __delattr__(self, name):
        object.__setattr__(self, "log", self.log - 100)


class A:
    def who(self, n):
        return n + 1


class B(A):
    def who(self, n):
        return super().who(n) * 2


class C(A):
    def who(self, n):
        return super().who(n) + 5


class D(B, C):
    def who(self, n):
        return super(D, self).who(n) - 3


def properties(count):
    t = Temperature()
    errors = 0
    for i in range(count):
        try:
            t.celsius = t.celsius - 0.5
        except ValueError:
            errors += 1
            del t.celsius
        if i % 3000 == 2999:
            try:
                t.broken
            except AttributeError as error:
                print(error)
    return t.celsius, errors


def descriptors(count):
    g = Gauge()
    total = 0
    for i in range(count):
        g.level = i % 300 - 100
        total += g.level + g.answer + Gauge.double(i) + g.double(1) + Gauge.bump(1)
        if i == count // 2:
            g.__dict__["answer"] = 1
    return total, Gauge.total


def recorder(count):
    r = Recorder()
    total = 0
    for i in range(count):
        r.anything = i
        total += r.velocity + r.v
        if i % 100 == 0:
            del r.x
    return total, r.log


def cooperative(count):
    d = D()
    total = 0
    for i in range(count):
        total += d.who(i)
        if i == count // 2:
            A.who = lambda self, n: n
    return total


print(properties(9000), descriptors(9000), recorder(6000), cooperative(9000))
