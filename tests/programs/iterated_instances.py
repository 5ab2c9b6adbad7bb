"""Loops over instances, by their __iter__ of every kind, iter(), and calls of methods that were bound before."""

import sys

ROUNDS = 400


class OfList:
    def __init__(self, *items):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)


class OfTuple(OfList):
    def __iter__(self):
        return iter((self.items[0], self.items[1], "end"))


class OfDict(OfList):
    def __iter__(self):
        return iter(dict.fromkeys(self.items))


class OfRange(OfList):
    def __iter__(self):
        return iter(range(len(self.items)))


class OfGenerator(OfList):
    def __iter__(self):
        for item in self.items:
            yield item
        yield "last"


class Itself(OfList):
    place = 0

    def __iter__(self):
        self.place = 0
        return self

    def __next__(self):
        if self.place >= len(self.items):
            raise StopIteration
        self.place += 1
        return self.items[self.place - 1]


class Other(OfList):
    def __iter__(self):
        return Itself(*self.items)


class Delegates(OfList):
    def __iter__(self):
        return OfGenerator(*self.items).__iter__()


class NoIterator(OfList):
    def __iter__(self):
        return self.items


class Fails(OfList):
    def __iter__(self):
        raise ValueError(sys._getframe(1).f_code.co_name)


class Refused(OfList):
    __iter__ = None


class LongList(list):
    def __iter__(self):
        return iter([len(self), *list.__iter__(self)])


def collect(thing):
    found = []
    for number in range(ROUNDS):
        for item in thing:
            if number % 150 == 0:
                found.append(item)
    return found


def collect_any(things):
    found = []
    for number in range(ROUNDS):
        for item in things[number % len(things)]:
            found.append(item)
    return len(found), found[:12]


def changing(thing):
    seen = 0
    for _ in range(ROUNDS):
        for item in thing:
            seen += 1
            if item == 2 and len(thing.items) < 40:
                thing.items.append(seen)
    return seen, len(thing.items)


def failing(thing):
    problems = set()
    for _ in range(ROUNDS):
        try:
            for _ in thing:
                pass
        except (TypeError, ValueError) as problem:
            problems.add((type(problem).__name__, str(problem)))
    return problems


def by_hand(items):
    total = 0
    for number in range(ROUNDS):
        walk = iter(items)
        total += next(walk)
        for item in walk:
            total += item
        total += next(walk, 1000)
    return total


def pairs(items):
    found = []
    for number in range(ROUNDS):
        walk = iter(items)
        for first, second in zip(walk, walk):
            if number % 200 == 0:
                found.append((first, second))
    return found


def unpacked(thing):
    for _ in range(ROUNDS):
        first, *rest = thing
    return first, rest, [*thing], max(thing), sum(thing), list(thing)


def replaced(thing):
    """The class gets another __iter__ in a loop over an instance."""
    before = OfList.__iter__
    lengths = []
    for number in range(ROUNDS):
        count = 0
        for _ in thing:
            if number == 300:
                OfList.__iter__ = lambda self: iter("other")
            count += 1
        if not lengths or lengths[-1] != count:
            lengths.append(count)
    OfList.__iter__ = before
    return lengths


class Visitor:
    def __init__(self):
        self.count = 0

    def visit(self, thing, *more, **named):
        return getattr(self, "visit_" + type(thing).__name__)(thing, *more, **named)

    def visit_int(self, number, scale=1):
        self.count += 1
        return number * scale

    def visit_str(self, text, scale=1):
        return len(text) * scale + self.count

    @classmethod
    def visit_list(cls, items):
        return cls.__name__, len(items)

    @staticmethod
    def visit_float(number):
        return number / 2

    visit_tuple = len


def dispatch(things):
    visitor = Visitor()
    found = []
    for number in range(ROUNDS * 2):
        result = visitor.visit(things[number % len(things)])
        if number < 8:
            found.append(result)
    return found, visitor.count


def call_bound(methods, argument):
    found = []
    for number in range(ROUNDS):
        method = methods[number % len(methods)]
        result = method(argument), method(argument, scale=3)
        if number < 4:
            found.append(result)
    return found


def call_wrong(method):
    problems = set()
    for _ in range(ROUNDS):
        try:
            method(1, 2, 3)
        except TypeError as problem:
            problems.add(str(problem))
    return problems


class Ends:
    ended = 0

    def __del__(self):
        Ends.ended += 1

    def value(self, number):
        return number + Ends.ended


def temporaries():
    values = []
    for number in range(ROUNDS):
        method = Ends().value
        values.append(method(number))
        del method
        values.append(Ends.ended)
    return values[:6], values[-2:], Ends.ended


class Steps:
    def __init__(self, most, end=StopIteration):
        self.place = 0
        self.most = most
        self.end = end

    def __iter__(self):
        return self

    def __next__(self):
        self.place += 1
        if self.place > self.most:
            raise self.end
        return self.place * 2


class Stops(Steps):
    def __next__(self):
        self.place += 1
        if self.place > self.most:
            raise StopIteration
        return self.place


class StopsWithValue(Steps):
    def __next__(self):
        self.place += 1
        if self.place > self.most:
            raise StopIteration("value")
        return self.place


class Catches(Steps):
    def __next__(self):
        self.place += 1
        try:
            if self.place > self.most:
                raise StopIteration
        except StopIteration:
            if self.place > self.most + 2:
                raise IndexError(self.place)
        return self.place


class PassesOn(Steps):
    def __iter__(self):
        self.inner = iter([5, 6, 7])
        return self

    def __next__(self):
        return next(self.inner)


class Ended(StopIteration):
    pass


class Dies(Stops):
    ended = 0

    def __del__(self):
        Dies.ended += 1


def short_loops(make):
    total = 0
    for number in range(ROUNDS):
        for item in make(number % 4):
            total += item
            if item == 3 and number % 3 == 0:
                break
        else:
            total += 100
    return total


def failing_loops(make):
    lines = set()
    for number in range(ROUNDS):
        try:
            for item in make(2):
                pass
        except Exception as problem:
            trace = problem.__traceback__
            depth = 0
            while trace.tb_next is not None:
                trace, depth = trace.tb_next, depth + 1
            lines.add((type(problem).__name__, str(problem), depth, trace.tb_frame.f_code.co_name))
    return lines


def main():
    for cls in (Steps, Stops, StopsWithValue, PassesOn, Dies):
        print(cls.__name__, collect(cls(3)), short_loops(cls))
    print(short_loops(lambda most: Steps(most, Ended)), Dies.ended, sys.exc_info())
    print(failing_loops(Catches), failing_loops(lambda most: Steps(most, KeyError("end"))))
    for cls in (OfList, OfTuple, OfDict, OfRange, OfGenerator, Itself, Other, Delegates):
        print(cls.__name__, collect(cls(1, 2, 3)))
    print(collect(LongList([4, 5])), collect_any([OfList(1, 2), OfGenerator(3), Itself(4), LongList([1]), (5,), "six"]))
    print(changing(OfList(1, 2, 3)), changing(OfGenerator(1, 2, 3)))
    for cls in (NoIterator, Fails, Refused):
        print(cls.__name__, failing(cls(1)))
    print(failing(OfList), failing(7))
    print(by_hand([1, 2, 3]), by_hand((4, 5)), by_hand(range(3)), by_hand({7: 1, 8: 2}), by_hand(OfList(1, 2)))
    print(pairs([1, 2, 3, 4, 5]), pairs(OfTuple(1, 2)))
    print(unpacked(OfList(1, 2, 3)), replaced(OfList(1, 2, 3)))
    print(dispatch([1, "two", [3], 4.0, (5, 6)]), dispatch([1, 2]))
    visitor = Visitor()
    print(call_bound([visitor.visit_int, visitor.visit_str], "ab"), call_bound([visitor.visit_int], 4), visitor.count)
    print(call_wrong(visitor.visit_int), call_wrong(visitor.visit_list))
    print(temporaries())


main()
