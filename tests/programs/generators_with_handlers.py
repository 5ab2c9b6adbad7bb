# Generators with try, finally and with around their yields, consumed in loops and by functions, to the end or not, and what their
# handlers see.
import sys


class Manager:
    def __init__(self, log, swallows=False):
        self.log = log
        self.swallows = swallows

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, value, trace):
        self.log.append("exit" if kind is None else kind.__name__)
        return self.swallows


class Node:
    fields = ("left", "right", "name")

    def __init__(self, **values):
        self.__dict__.update(values)


def fields_of(node):
    for field in node.fields:
        try:
            yield field, getattr(node, field)
        except AttributeError:
            pass


def with_finally(count, log):
    try:
        for index in range(count):
            yield index
    finally:
        log.append("closed")


def with_manager(count, log):
    with Manager(log) as manager:
        for index in range(count):
            yield index + len(manager.log) * 0
    log.append("done")


def with_except(values):
    for value in values:
        try:
            yield 10 // value
        except ZeroDivisionError:
            yield -1
        else:
            yield 0


def nested(count, log):
    try:
        try:
            for index in range(count):
                yield index
        except ValueError:
            yield "caught"
    finally:
        log.append("nested closed")


def handled(count):
    """The exception that is handled around a generator, and in it."""
    for index in range(count):
        try:
            if index % 3 == 2:
                raise KeyError(index)
            yield repr(sys.exc_info()[1])
        except KeyError:
            yield repr(sys.exc_info()[1])


def whole(rounds):
    log = []
    total = 0
    for index in range(rounds):
        for item in with_finally(3, log):
            total += item
        for item in with_manager(3, log):
            total += item
        for item in with_except((1, 2, 5)):
            total += item
        for field, value in fields_of(Node(left=1, right=index, name=2)):
            total += value
        total += sum(with_finally(index % 5, log))
    print(total, len(log), log[-4:])


def missing(rounds):
    total = 0
    nodes = [Node(left=1), Node(left=1, right=2), Node(name=5), Node(left=1, right=2, name=3)]
    for index in range(rounds):
        for field, value in fields_of(nodes[index % 4]):
            total += value * len(field)
        for item in with_except((1, 0, 3, index % 4)):
            total += item
    print(total)


def broken_off(rounds):
    log = []
    total = 0
    for index in range(rounds):
        for item in with_finally(5, log):
            if item == index % 7:
                break
            total += item
        log.append("after")
        for item in with_manager(5, log):
            if item == 1:
                break
        log.append("behind")
    print(total, len(log), log[-8:])


def returned(rounds):
    log = []

    def first(count):
        for item in with_finally(count, log):
            if item == 2:
                return item
        return None

    print([first(index % 5) for index in range(rounds)][-5:], len(log))
    print(any(item == 3 for item in with_finally(9, log)), log[-1], len(log))


def raised_by_consumer(rounds):
    log = []
    caught = 0
    for index in range(rounds):
        try:
            for item in nested(4, log):
                if item == index % 6:
                    raise ValueError(item)
        except ValueError:
            caught += 1
            log.append("caught")
    print(caught, len(log), log[-6:])


def exceptions_seen(rounds):
    seen = set()
    for index in range(rounds):
        seen.update(handled(4))
        try:
            raise IndexError(index % 2)
        except IndexError:
            for text in handled(4):
                seen.add(text)
    print(sorted(seen))


def thrown(rounds):
    log = []
    texts = []
    for index in range(rounds):
        generator = nested(5, log)
        for item in generator:
            if item == index % 5:
                break
        try:
            texts.append(generator.throw(ValueError("thrown")))
        except ValueError as error:
            texts.append(str(error))
        generator.close()
    print(len(texts), texts[-3:], len(log))


def kept_half(rounds):
    log = []
    kept = []
    for index in range(rounds):
        generator = with_finally(4, log)
        for item in generator:
            if item == 1:
                break
        if index % (rounds // 4) == 0:
            kept.append(generator)
        log.append(index)
    print(len(log), [list(generator) for generator in kept], log[-3:])


def run(rounds):
    for part in (whole, missing, broken_off, returned, raised_by_consumer, exceptions_seen, thrown, kept_half):
        print(part.__name__)
        part(rounds)


run(40)
run(3000)
