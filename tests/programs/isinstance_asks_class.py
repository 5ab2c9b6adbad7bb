# isinstance() asks an object's __class__ where its bases do not answer: lazy proxies and mocks claim to be others.


class Target:
    pass


class Plain:
    def __init__(self):
        self.value = 1


class ByProperty:
    __class__ = property(lambda self: Target)

    def __init__(self):
        self.value = 1


class ByGetattribute:
    def __init__(self):
        self.value = 1

    def __getattribute__(self, name):
        return Target if name == "__class__" else object.__getattribute__(self, name)


class Meta(type):
    def __instancecheck__(cls, instance):
        return instance.value == 1


class Checked(metaclass=Meta):
    pass


class ClassProxy(type):
    __class__ = property(lambda cls: Meta)


class Claiming(metaclass=ClassProxy):
    pass


def known(xs):
    count = 0
    for x in xs:
        x.value
        count += isinstance(x, Target)
    return count


def unknown(xs):
    count = 0
    for x in xs:
        count += isinstance(x, Target)
    return count


def several(xs):
    count = 0
    for x in xs:
        x.value
        count += isinstance(x, (int, Target)) + isinstance(x, (Target, str)) + isinstance(x, str)
    return count


def checked(xs):
    count = 0
    for x in xs:
        x.value
        count += isinstance(x, Checked) + isinstance(x, (int, Checked)) + isinstance(x, (Plain, Checked))
    return count


def classes(xs):
    count = 0
    for x in xs:
        count += isinstance(x, type) + isinstance(x, Meta)
    return count


SINGLE = ByProperty()
MODULE_LIKE = Plain()


def constant(n):
    count = 0
    for i in range(n):
        count += isinstance(SINGLE, Target) + isinstance(MODULE_LIKE, Target)
    return count


for cls in (Plain, ByProperty, ByGetattribute, Target):
    for function in (known, unknown, several, checked):
        if cls is not Target or function is unknown:
            print(cls.__name__, function.__name__, function([cls() for _ in range(3000)]))
print(unknown([cls() for _ in range(1000) for cls in (Plain, ByProperty, ByGetattribute, Target)]))
print(classes([Plain, Checked, Claiming, 1] * 1000), constant(3000))


# What was no proxy becomes one.
def changing(xs, change_at, change):
    count = 0
    for i, x in enumerate(xs):
        if i == change_at:
            change()
        x.value
        count += isinstance(x, Target)
    return count


class Root:
    pass


class Proxying:
    __class__ = property(lambda self: Target)


class Late(Root):
    value = 1


class LateBase:
    value = 1


class LateChild(LateBase):
    pass


class LateMro(Root):
    value = 1


class Rebased(LateMro):
    pass


class TargetToo(Target):
    value = 1


def becomes_proxy():
    Late.__bases__ = (Proxying,)


def base_becomes_proxy():
    LateBase.__getattribute__ = lambda self, name: Target if name == "__class__" else object.__getattribute__(self, name)


def rebase():
    Rebased.__bases__ = (TargetToo,)


print(changing([Late() for _ in range(4000)], 3000, becomes_proxy))
print(changing([LateChild() for _ in range(4000)], 3000, base_becomes_proxy))
print(changing([Rebased() for _ in range(4000)], 3000, rebase))


def make_constant_proxy():
    Plain.__getattribute__ = ByGetattribute.__getattribute__


print(constant(3000))
make_constant_proxy()
print(constant(3000))
