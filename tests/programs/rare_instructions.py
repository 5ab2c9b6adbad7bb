"""Unpacking with a rest, deletion of attributes and imports in hot loops, and operations of CPython's in small callees."""

import contextlib
import sys
import types

fake = types.ModuleType("kiln_fake")
fake.value = 1
fake.__path__ = []
sys.modules["kiln_fake"] = fake


class Items:
    def __init__(self, count, log):
        self.count, self.log = count, log

    def __iter__(self):
        for number in range(self.count):
            self.log.append(number)
            yield number


class Bag:
    def __init__(self):
        self.content = 1

    def __delattr__(self, name):
        if name == "kept":
            raise AttributeError("kept")
        object.__delattr__(self, name)


class Plain:
    pass


def rests(rounds):
    total = 0
    log = []
    for number in range(rounds):
        first, *rest = (number, 1, 2)
        *most, last = [1, 2, number]
        a, *middle, z = range(number % 3 + 2)
        head, *tail = "abc"
        x, *y = Items(3, log)
        (p, *q), *r = [(1, 2), 3]
        total += first + len(rest) + sum(most) + last + a + len(middle) + z + len(head) + len(tail) + x + len(y) + p + len(q) + len(r)
    return total, len(log)


def too_few(rounds):
    texts = set()
    for number in range(rounds):
        for items in ((), [1], iter([1]), number, "a"):
            try:
                a, b, *c = items
                texts.add(len(c))
            except (TypeError, ValueError) as error:
                texts.add(str(error))
            try:
                a, *b, c, d = items
            except (TypeError, ValueError) as error:
                texts.add(str(error))
    return sorted(map(str, texts))


def deleted(rounds):
    seen = set()
    for number in range(rounds):
        plain = Plain()
        plain.a = number
        del plain.a
        seen.add(hasattr(plain, "a"))
        try:
            del plain.a
        except AttributeError as error:
            seen.add(str(error))
        bag = Bag()
        del bag.content
        try:
            del bag.kept
        except AttributeError as error:
            seen.add(str(error))
    return sorted(map(str, seen))


def imported(rounds):
    total = 0
    for _ in range(rounds):
        import math
        import os.path
        from collections import OrderedDict, defaultdict
        from kiln_fake import value
        total += math.floor(2.5) + len(OrderedDict()) + len(defaultdict(int)) + value + (os.path is sys.modules["os.path"])
    return total


def import_changes(rounds):
    seen = []
    for number in range(rounds):
        if number == rounds // 2:
            fake.value = 2
        if number == rounds // 2 + 10:
            del sys.modules["kiln_fake"]
        if number == rounds // 2 + 20:
            sys.modules["kiln_fake"] = fake
            del fake.value
        try:
            from kiln_fake import value
            seen.append(value)
        except ImportError as error:
            seen.append(type(error).__name__)
    fake.value = 1
    return [(item, seen.count(item)) for item in (1, 2, "ModuleNotFoundError", "ImportError")]


def import_replaced(rounds):
    import builtins
    kept = builtins.__import__
    names = []
    total = 0
    for number in range(rounds):
        if number == rounds // 2:
            builtins.__import__ = lambda name, *rest: names.append(name) or kept(name, *rest)
        import math
        total += math.ceil(0.5)
    builtins.__import__ = kept
    return total, len(names), set(names)


@contextlib.contextmanager
def entered(log):
    log.append(1)
    try:
        yield len(log)
    finally:
        log.pop()


def managed(rounds):
    log, total = [], 0
    for number in range(rounds):
        with entered(log) as depth:
            total += depth
        try:
            with entered(log):
                if number % 10 == 0:
                    raise KeyError(number)
        except KeyError as error:
            total += error.args[0]
    return total, log


# Small functions that are taken in, with an operation of CPython's in each.


def formatted(value, width):
    return f"{value:>{width}}"


def caller_of(depth):
    return sys._getframe(depth).f_code.co_name, sorted(sys._getframe(depth).f_locals)


def through(value):
    local = value + 1
    return caller_of(1), local


def sliced(items, start):
    items[start:start + 2] = [0, 0]
    return items[::-1]


def ended(value, log):
    class Ended:
        def __del__(self):
            log.append((value, sys._getframe(1).f_code.co_name))
    made = Ended()
    made = None
    return len(log)


def small(rounds):
    seen = set()
    log = []
    total = 0
    for number in range(rounds):
        total += len(formatted(number, 7)) + sliced([1, 2, 3, number], 1)[0] + (ended(number, log) if number % 40 == 0 else 0)
        seen.add(str(through(number % 2)))
    return total, sorted(seen), log[-1], len(log)


def divided(a, b):
    return divmod(a, b)[0] + int(str(a)) // b


def raised(rounds):
    texts = []
    for number in range(rounds):
        try:
            divided(number, number % 30)
        except ZeroDivisionError as error:
            trace = error.__traceback__
            texts.append((trace.tb_next.tb_frame.f_code.co_name, trace.tb_next.tb_lineno, trace.tb_next.tb_frame.f_locals, str(error)))
    return len(texts), texts[-1]


for _ in range(3):
    print(rests(300))
    print(too_few(100))
    print(deleted(200))
    print(imported(200), import_changes(200), import_replaced(200))
    print(managed(200))
    print(small(300))
    print(raised(300))
