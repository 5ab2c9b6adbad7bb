"""`*arguments` and `**keywords`: collected by wrappers, handed on, looked at, changed, and seen by others."""

import functools
import sys


def plain(x, factor=2, *, offset=0):
    return x * factor + offset


def counted(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return func(*args, **kwargs)
    wrapper.calls = 0
    return wrapper


def nested(func):
    def wrapper(*args, **kwargs):
        return func(*args, extra=1, **kwargs)
    return wrapper


def prefixed(func):
    def wrapper(self, *args, **kwargs):
        return func(self, *args, **kwargs)
    return wrapper


scale = counted(plain)
deep = counted(counted(plain))


@nested
def takes_extra(x, extra=0, more=0):
    return x + 10 * extra + 100 * more


def everything(a, /, b=2, *rest, c=3, **others):
    return a, b, rest, c, sorted(others.items())


def forwards(*args, **kwargs):
    return everything(*args, **kwargs)


def spread(a, *args, **kwargs):
    return everything(a, *args, 7, *args, c=a, **kwargs)


def keeps(store, **kwargs):
    store.append(kwargs)
    return len(kwargs)


def changes(**kwargs):
    same = kwargs
    same["x"] = same.get("x", 0) + 1
    kwargs.setdefault("y", 5)
    kwargs.pop("z", None)
    return sorted(kwargs.items()), same is kwargs


def asks(**kwargs):
    total = 1 if kwargs else 0
    if "key" in kwargs:
        total += kwargs["key"]
    for name, value in kwargs.items():
        total += len(name) * value
    return total, len(kwargs), kwargs == {"key": 2}


def shown(**kwargs):
    return look()


def look():
    seen = sys._getframe(1).f_locals["kwargs"]
    seen["added"] = 1
    return sorted(seen)


class Base:
    def __init__(self, value, **kwargs):
        self.value = value
        self.rest = kwargs

    @prefixed
    def method(self, a, b=1):
        return self.value + a * b


class Derived(Base):
    def __init__(self, *args, name="d", **kwargs):
        super().__init__(*args, **kwargs)
        self.name = name


def fails(func, *args, **kwargs):
    try:
        return func(*args, **kwargs)
    except TypeError as error:
        return str(error)


def timed(func):
    log = []

    def wrapper(*args, **kwargs):
        log.append(len(args))
        try:
            return func(*args, **kwargs)
        except ValueError:
            return -1
        finally:
            log.pop()
    return wrapper


@timed
def sometimes(n, limit=7):
    if n % limit == 0:
        raise ValueError(n)
    return n


def loops(n):
    total, out, store = 0, None, []
    for i in range(n):
        total += scale(i, offset=3) + scale(i, 5) + deep(i, factor=i & 3, offset=1)
        total += takes_extra(i) + takes_extra(i, more=2)
        total += sometimes(i) + sometimes(n=i, limit=5)
        out = forwards(i, c=i, z=1, y=2), forwards(i), spread(i, q=1), spread(i, 2, b=9) if i < 0 else None
        total += keeps(store, a=i) + keeps(store)
        total += Derived(i, name="x", other=i).method(2, b=3)
    return total, out, scale.calls, deep.calls, store[-2:], store[-1] is store[-3]


def looks(n):
    out = None
    for i in range(n):
        out = (changes(x=i, z=2), changes(), asks(), asks(key=2), asks(key=i, other=1), shown(first=i), shown(),
               fails(plain, i, factor=1, nothing=2), fails(everything), fails(scale, 1, 2, 3), fails(forwards, i, b=1, a=2),
               fails(takes_extra, 1, extra=5))
    return out


def kinds(i):
    return {"offset": i} if i % 3 else {"factor": i, "offset": 1}


def real_dicts(n):
    total = 0
    for i in range(n):
        names = kinds(i)
        total += plain(i, **names) + scale(*(i,), **names)
        total += len((*(1, 2), *range(i & 3), 5)) + len({**names, "more": 1})
    return total


for _ in range(2):
    print(loops(700))
    print(looks(300))
    print(real_dicts(500))
    scale.calls = deep.calls = 0
