# Calls of compiled functions with keywords, defaults and stars from compiled code, at places that meet many functions.
import sys


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("ends", self.name)


def plain(a, b=2, c=3):
    return a + b * c


def only(a, *, b=4, c):
    return a + b - c


def rest(a, *items, b=1):
    return a + len(items) * b


def names(a, **others):
    return a + sum(others.values()) + ("b" in others)


def both(*items, **others):
    return len(items) * 10 + len(others)


def keeps(a, *items, b=None, **others):
    return items, others


def raises(a, *, b=0, c=0):
    if a % 5 == 0:
        raise ValueError(a)
    return a


def drops(a, b=None, **others):
    a = None
    b = None
    others.clear()
    return 1


FUNCTIONS = [plain, only, rest, names, both, raises]


def keywords(rounds):
    total = errors = 0
    count = len(FUNCTIONS)
    for index in range(rounds):
        function = FUNCTIONS[index % count]
        try:
            total += function(index, b=index % 7, c=1)
        except (TypeError, ValueError) as error:
            errors += len(str(error))
    print(total, errors)


def spread(rounds):
    total = errors = 0
    count = len(FUNCTIONS)
    for index in range(rounds):
        function = FUNCTIONS[index % count]
        items = (index,) * (index % 3 + 1)
        try:
            total += function(*items)
            total += function(*items, **{"c": 2})
        except (TypeError, ValueError) as error:
            errors += len(str(error))
    print(total, errors)


def classes_vary(rounds):
    total = 0
    functions = [plain, rest, names, both, keeps]
    for index in range(rounds):
        value = index if index % 3 else float(index)
        function = functions[index % 5]
        result = function(value, b=value)
        total += len(result) if isinstance(result, tuple) else result
    print(total)


def lifetimes(rounds):
    functions = [drops, keeps, drops, lambda a, **others: None, lambda *items, **others: len(items)]
    for index in range(rounds):
        function = functions[index % 5]
        if index % (rounds // 5) < 2:
            print("call", index)
            function(Loud(("a", index)), b=Loud(("b", index)), key=Loud(("c", index)))
            print("called")
        else:
            function(index, b=index, key=index)


def counts(rounds):
    value = object()
    before = sys.getrefcount(value)
    functions = [keeps, both, drops, rest]
    errors = 0
    for index in range(rounds):
        try:
            functions[index % 4](value, value, b=value, key=value)
        except TypeError:
            errors += 1
    print(before == sys.getrefcount(value), errors)


def seen_by(*items, frame=None, **others):
    caller = sys._getframe(1)
    return caller.f_code.co_name, caller.f_locals["index"]


def frames(rounds):
    functions = [seen_by, both, names, seen_by]
    last = None
    for index in range(rounds):
        result = functions[index % 4](index, frame=index)
        last = result if isinstance(result, tuple) else last
        assert last is None or index % 4 not in (0, 3) or last == ("frames", index)
    print(last)


def run(rounds):
    for part in (keywords, spread, classes_vary, lifetimes, counts, frames):
        print(part.__name__)
        part(rounds)


run(60)
run(5000)
