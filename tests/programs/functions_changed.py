# __code__, __defaults__ and __kwdefaults__ of a callee replaced while a hot loop calls it; so are classes' methods.


def add(a, b=1, *, c=10):
    return a + b + c


def other(a, b=1, *, c=10):
    return a * b - c


def four(a, b, c, d):
    return a


def change_all(count):
    total = 0
    marks = []
    original = add.__code__
    for i in range(count):
        total += add(i)
        if i == 2000:
            add.__defaults__ = (2.5,)
        elif i == 3000:
            add.__kwdefaults__ = {"c": 1}
        elif i == 4000:
            add.__code__ = other.__code__
        elif i == 5000:
            add.__code__ = original
            add.__defaults__ = (7,)
        elif i == 6000:
            add.__kwdefaults__["c"] = -100
        elif i == 7000:
            add.__defaults__ = None
            try:
                add(i)
            except TypeError as error:
                print(error)
            add.__defaults__ = (1,)
        elif i == 7500:
            add.__kwdefaults__ = None
            try:
                add(i)
            except TypeError as error:
                print(error)
            add.__kwdefaults__ = {"c": 0}
        elif i == 7800:
            add.__code__ = four.__code__
            try:
                add(i)
            except TypeError as error:
                print(error)
            add.__code__ = original
        if i % 500 == 499:
            marks.append(total)
    return marks


def recursive(n):
    return 1 if n < 2 else recursive(n - 1) + recursive(n - 2)


def swapped_recursive(n):
    return 1 if n < 3 else recursive(n - 1) + recursive(n - 3)


def self_replacing(n):
    if n == 2500:
        self_replacing.__code__ = (lambda n: -n).__code__
    return n


class Shape:
    def area(self):
        return 2

    @staticmethod
    def unit():
        return 1


def change_methods(count):
    shape = Shape()
    total = 0
    for i in range(count):
        total += shape.area() * Shape.unit()
        if i == 2000:
            Shape.area = lambda self: 3.5
        elif i == 3000:
            Shape.unit = staticmethod(lambda: 10)
        elif i == 4000:
            shape.area = lambda: -1
        elif i == 5000:
            del shape.area
            Shape.area = Shape.unit
            try:
                shape.area()
            except TypeError as error:
                print(error)
            Shape.area = lambda self: 0
    return total


print(change_all(9000))
print(recursive(16))
recursive.__code__ = swapped_recursive.__code__
print(recursive(16))
print(sum(self_replacing(i) for i in range(6000)))
print(change_methods(6000))
