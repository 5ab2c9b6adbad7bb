# wrappers that hand on what they are called with, and keep count on themselves
import functools

from _harness import drive


def counted(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return func(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


def method(func):
    def wrapper(self, *args, **kwargs):
        return func(self, *args, 1, **kwargs)

    return wrapper


def adds(func):
    def wrapper(*args, **kwargs):
        return func(*args, more=5, **kwargs)

    return wrapper


@counted
def scale(x, factor=2, *, offset=0):
    return (x * factor + offset) & 0xFFFF


@adds
def total(a, b=0, more=0):
    return a + b + more


class Shape:
    def __init__(self, size):
        self.size = size

    @method
    def area(self, width, extra, times=1):
        return self.size * width * times + extra


def work(n):
    shape = Shape(3)
    out = 0
    for i in range(n):  # kiln-native
        out += scale(i, offset=3) + scale(i, 5)
        out += total(i) + total(i, b=1) + shape.area(2) + shape.area(i, times=2)
    return out, scale.calls > 0


drive(work)
