"""Functions that share code, change it, or come and go, and are called by the interpreter and by C again and again."""

import functools
import sys
import types


def scale(x, factor=3):
    return x * factor + OFFSET


OFFSET = 1
ROUNDS = 3000


def others(count):
    """Functions of scale's code in namespaces of their own."""
    return [types.FunctionType(scale.__code__, {"OFFSET": 10 * n}, f"scale{n}", (n,)) for n in range(count)]


def total(function, values):
    result = 0
    for value in values:
        result += function(value)
    return result


def namespaces():
    functions = [scale, *others(12)]
    sums = [0] * len(functions)
    for _ in range(ROUNDS // 10):
        for index, function in enumerate(functions):
            sums[index] += function(5) + function(2.5, 2)
    print(sums)
    print([sum(map(function, range(100))) for function in functions])


def changed_code():
    def first(x, y=2):
        return x + y

    def second(x, y=2):
        return x * y

    results = []
    for turn in range(6):
        results.append(total(first, range(ROUNDS)))
        first.__code__, second.__code__ = second.__code__, first.__code__
        results.append(total(first, range(ROUNDS)))
        first.__defaults__ = (turn,)
        results.append(total(first, range(ROUNDS)))
    print(results)
    first.__defaults__ = None
    try:
        first(1)
    except TypeError as error:
        print(error)
    print(first(1, 5), second(4))


def come_and_go():
    result = 0
    for n in range(ROUNDS):
        add = lambda x, n=n: x + n  # noqa: E731
        result += add(1) + sum(map(add, (1, 2))) + functools.reduce(lambda a, b: a + b, (n, 1))
        add.note = add
    print(result)


def wrong_calls():
    for _ in range(200):
        total(scale, range(20))
    for arguments, named in (((), {}), ((1, 2, 3), {}), ((1,), {"other": 2}), ((1,), {"factor": 2}), ((), {"x": 1}), ((1,), {"x": 1})):
        try:
            print(scale(*arguments, **named))
        except TypeError as error:
            print(error)


def namespaces_without_end():
    code = scale.__code__
    result = 0
    for n in range(400):
        function = types.FunctionType(code, {"OFFSET": n})
        for value in range(20):
            result += function(value, 2)
    print(result)


class Watched:
    """Its instances keep the interpreter's stack of arguments under watch: each must die when the callee lets go of it."""

    def __init__(self, log):
        self.log = log

    def __del__(self):
        self.log.append(sys.getrefcount(self.log) > 1)


def drop(thing, log, end=None):
    log.append(len(log))
    del thing
    log.append("dropped" if end is None else end)
    return len(log)


def arguments_end():
    log = []
    for _ in range(ROUNDS // 10):
        drop(Watched(log), log)
        drop(Watched(log), log, "end")
    print(len(log), log[:6], log[-6:])
    print(list(map(drop, [1, 2.5], [[], []])))


def traced():
    lines = []

    def tracer(frame, event, argument):
        if frame.f_code is scale.__code__:
            lines.append(event)
        return tracer

    total(scale, range(ROUNDS))
    sys.settrace(tracer)
    total(scale, range(3))
    sys.settrace(None)
    print(lines)
    print(total(scale, range(ROUNDS)))


for test in namespaces, changed_code, come_and_go, wrong_calls, namespaces_without_end, arguments_end, traced:
    print(test.__name__)
    test()
