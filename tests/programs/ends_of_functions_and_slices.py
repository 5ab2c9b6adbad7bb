# Functions, slices and containers of containers that end in hot loops: with leaves, with what others hold, and now and then with an object
# whose finaliser tells where it ran. Items of instances that the program's names hold, and calls with the items of lists.
import sys
import weakref

log = []


class Told:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        frame = sys._getframe(1)
        log.append((self.name, frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, sorted(frame.f_locals)))


def seldom(i, name):
    return Told(name) if i % 997 == 996 else i


def closures(n):
    total = 0
    for i in range(n):
        held = seldom(i, "cell")

        def inner():
            return held

        del inner
        held = None
        total += i
    return total


def defaults(n):
    total = 0
    for i in range(n):
        def inner(a=seldom(i, "default"), *, b=seldom(i, "keyword")):
            return a

        total += 1
        inner = None
        total += 1
    return total


def attributes(n):
    total = 0
    for i in range(n):
        inner = lambda: i
        if i % 997 == 5:
            inner.mark = Told("attribute")
            inner.__doc__ = inner.__code__
        elif i % 997 == 7:
            inner.mark = weakref.ref(inner, lambda reference: log.append(("gone", i)))
        elif i % 997 == 9:
            inner.__annotations__ = {"x": Told("annotation")}
        inner = None
        total += 1
    return total


def slices(n):
    total = 0
    for i in range(n):
        part = slice(i, seldom(i, "stop"), None)
        total += part.start
        part = None
        total += 1
    return total


def nested(n):
    total = 0
    for i in range(n):
        rows = [(i, i + 1), [i, "x"], (seldom(i, "row"),)]
        total += rows[0][1]
        rows = None
        total += 1
    return total


def twice(n):
    total = 0
    for i in range(n):
        item = [seldom(i, "twice")]
        rows = (item, item)
        item = None
        total += len(rows)
        rows = None
        total += 1
    return total


class Quiet:
    def __init__(self, value):
        self.value = value


class Derived(Quiet):
    pass


def tell(self):
    log.append((self.value, sys._getframe(1).f_code.co_name))


def changing(n):
    Quiet.__del__ = tell
    del Quiet.__del__
    total = 0
    for i in range(n):
        pair = (Quiet(i), Derived(i))
        total += pair[1].value
        pair = None
        if i == n // 2:
            Quiet.__del__ = tell
        elif i == n // 2 + 3:
            del Quiet.__del__
            Derived.__del__ = tell
        elif i == n // 2 + 5:
            del Derived.__del__
        total += 1
    return total


class Table:
    def __init__(self, values):
        self.values = values

    def __getitem__(self, index):
        return self.values[index % 3]


table = Table([1, 2, 3])


def items(n):
    total = 0
    for i in range(n):
        total += table[i]
        if i == n // 2:
            Table.__getitem__ = lambda self, index: self.values[0] + index
    return total


def first(*arguments, **keywords):
    return arguments[0]


def spread(n, values):
    total = 0
    for i in range(n):
        total += first(*values)
        values = [i, seldom(i, "item"), total] if i % 5 == 0 else (i, total)
    try:
        first(*5)
    except TypeError as error:
        print(error)
    return total


for work in closures, defaults, attributes, slices, nested, twice, changing, items:
    print(work.__name__, work(4000), work(30), len(log))
    print(log[:3], log[-2:])
    log.clear()
print(spread(4000, [1, 2]), log)
