# Exceptions that a handler drops unseen, and others that somebody sees: tracebacks, kept exceptions, and what ends on the way.
import sys
import traceback


class Fail(Exception):
    pass


class Other(Exception):
    pass


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("ends", self.name, sys.exc_info()[0])


KEPT = Fail("kept")


def check(value):
    if value % 2:
        raise Fail(value)
    return value


def inner(value):
    return check(value) + 1


def middle(value):
    held = [value]
    return inner(value) + len(held)


def drop(value):
    try:
        return middle(value)
    except Fail:
        pass
    return -1


def dropped(rounds):
    print(sum(drop(index) for index in range(rounds)), sum(map(drop, range(rounds))))
    total = 0
    for index in range(rounds):
        total += drop(index)
    print(total)


def raise_kept(value):
    if value % 3 == 0:
        raise KEPT
    return value


def through(value):
    return raise_kept(value)


def kept(rounds):
    """Somebody else has the exception: its traceback grows as CPython's does."""
    KEPT.__traceback__ = None
    for index in range(rounds):
        try:
            through(index)
        except Fail:
            pass
    entry, length = KEPT.__traceback__, 0
    while entry is not None:
        entry, length = entry.tb_next, length + 1
    print(length)
    KEPT.__traceback__ = None


def raise_some(value):
    if value % 4 == 1:
        raise Fail(value)
    if value % 4 == 3:
        raise Other(value)
    return value


def around(value):
    return raise_some(value)


def other_class(rounds):
    """The clause is for one class, another goes further."""

    def one(value):
        try:
            return around(value)
        except Fail:
            pass
        return 0

    def all_(value):
        try:
            return one(value)
        except Other as error:
            return [frame.name for frame in traceback.extract_tb(error.__traceback__)]

    print([all_(index) for index in range(rounds)][-4:])


def finally_between(rounds):
    seen = []

    def watching(value):
        try:
            return inner(value)
        finally:
            error = sys.exc_info()[1]
            if error is not None:
                seen.append([frame.name for frame in traceback.extract_tb(error.__traceback__)])

    def outer(value):
        try:
            return watching(value)
        except Fail:
            pass
        return None

    for index in range(rounds):
        outer(index)
    print(len(seen), seen[-1], seen[0] == seen[-1])


def raised_from(rounds):
    def translate(value):
        try:
            return inner(value)
        except Fail as error:
            raise Other("translated") from error

    def outer(value):
        try:
            return translate(value)
        except Other:
            pass
        return None

    def seen(value):
        try:
            return translate(value)
        except Other as error:
            return [frame.name for frame in traceback.extract_tb(error.__cause__.__traceback__)]

    for index in range(rounds):
        outer(index)
    print([seen(index) for index in range(rounds)][-1])


def deep(value, depth):
    if depth == 0:
        return check(value)
    return deep(value, depth - 1)


def deep_ones(rounds):
    def outer(value, depth):
        try:
            return deep(value, depth)
        except Fail:
            pass
        return -1

    print(sum(outer(index, index % 90) for index in range(rounds)))
    total = 0
    for index in range(rounds):
        total += outer(index, index % 90)
    print(total)


def ends_on_the_way(rounds):
    def loud(value):
        held = Loud(value) if value % (rounds // 2) == 1 else None
        check(value)
        return held

    def outer(value):
        try:
            loud(value)
        except Fail:
            pass
        return value

    print(sum(outer(index) for index in range(rounds)))


def frames_kept(rounds):
    """A frame that somebody has keeps its locals, whether its exception is seen or not."""
    frames = []

    def taken(value):
        local = value * 2
        if value % (rounds // 2) == 1:
            frames.append(sys._getframe())
        return check(value) + local

    def outer(value):
        try:
            return taken(value)
        except Fail:
            pass
        return None

    for index in range(rounds):
        outer(index)
    print([(frame.f_locals["local"], frame.f_lineno - frame.f_code.co_firstlineno) for frame in frames])


def context_of_others(rounds):
    """An exception that is being handled is the context of one that is dropped, and stays as it was."""

    def outer(value):
        try:
            raise Other(value)
        except Other as error:
            drop(value)
            return [frame.name for frame in traceback.extract_tb(error.__traceback__)], sys.exc_info()[1] is error

    print([outer(index) for index in range(rounds)][-1])


class Finalised(Exception):
    seen = {}

    def __del__(self):
        entry, names = self.__traceback__, []
        while entry is not None:
            names.append(entry.tb_frame.f_code.co_name)
            entry = entry.tb_next
        Finalised.seen[tuple(names)] = Finalised.seen.get(tuple(names), 0) + 1


def finalised(rounds):
    """An exception sees its own traceback as it ends."""

    def leaf(value):
        raise Finalised(value)

    def between(value):
        return leaf(value)

    def outer(value):
        try:
            between(value)
        except Finalised:
            pass

    Finalised.seen.clear()
    for index in range(rounds):
        outer(index)
    print(Finalised.seen)


class First(Exception):
    pass


class Second(Exception):
    pass


KEPT_FIRST = First


def rebind(value, last):
    global First, Second
    if value == last:
        First, Second = Second, 5


def rebinding_leaf(value, last):
    rebind(value, last)
    if value % 2:
        raise KEPT_FIRST(value)
    return value


def rebinding(value, last):
    return rebinding_leaf(value, last)


def rebound(rounds):
    """What the waiting clause names is another class, or none, by the time that the exception comes."""
    global First, Second
    kept = First, Second

    def one(value, last):
        try:
            return rebinding(value, last)
        except First:
            pass
        return None

    def several(value, last):
        try:
            return rebinding(value, last)
        except (KeyError, Second, First):
            pass
        return None

    for caller in (one, several):
        try:
            for index in range(rounds):
                caller(index, rounds - 1)
        except (KEPT_FIRST, TypeError) as error:
            seen = error if isinstance(error, KEPT_FIRST) else error.__context__
            print(type(error).__name__, [frame.name for frame in traceback.extract_tb(seen.__traceback__)])
        First, Second = kept


def run(rounds):
    for part in (dropped, kept, other_class, finally_between, raised_from, deep_ones, ends_on_the_way, frames_kept, context_of_others, finalised, rebound):
        print(part.__name__)
        part(rounds)


run(60)
run(4000)
