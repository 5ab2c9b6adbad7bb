# Generators in hot loops: plain ones, send, throw, close, yield from, expressions, early ends, return values.
import itertools


def squares(n):
    for i in range(n):
        yield i * i


def averager():
    total = 0.0
    count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


def walk(depth):
    if depth > 0:
        yield from walk(depth - 1)
        yield depth
        yield from walk(depth - 1)


def resilient():
    caught = 0
    while True:
        try:
            x = yield caught
        except ValueError:
            caught += 1
        except GeneratorExit:
            print("closed after", caught)
            raise
        else:
            if x == "stop":
                return caught * 10


def delegate(log):
    result = yield from resilient()
    log.append(result)
    return "done"


def hot_send(count):
    g = averager()
    next(g)
    for i in range(count):
        result = g.send(i * 0.5)
    return result


def hot_throw(count):
    g = resilient()
    next(g)
    for i in range(count):
        if i % 3 == 0:
            n = g.throw(ValueError(i))
        else:
            n = g.send(i)
    g.close()
    return n


def delegation(count):
    log = []
    total = 0
    for i in range(count):
        g = delegate(log)
        next(g)
        g.throw(ValueError)
        try:
            g.send("stop")
        except StopIteration as stop:
            total += len(stop.value)
    return total, sum(log)


def fails_inside(count):
    def failing():
        for i in range(count):
            yield 10 // (count - 1 - i)

    total = 0
    try:
        for x in failing():
            total += x
    except ZeroDivisionError as error:
        lines = []
        tb = error.__traceback__
        while tb:
            lines.append((tb.tb_frame.f_code.co_name, tb.tb_lineno))
            tb = tb.tb_next
        return total, lines


def stop_iteration_inside(count):
    def bad():
        for i in range(count):
            if i == count - 1:
                next(iter(()))
            yield i

    try:
        for x in bad():
            pass
    except RuntimeError as error:
        return x, str(error), type(error.__cause__).__name__


def interleaved(count):
    a, b = squares(count), squares(count)
    total = 0
    for x in a:
        total += x - next(b) * 2 if x % 2 else next(b)
    return total


def infinite(count):
    total = 0
    for i in itertools.takewhile(lambda x: x < count, itertools.count()):
        total += i
    for i, c in zip(range(count), itertools.cycle("abc")):
        total += c == "a"
    return total


def frame_state(count):
    g = squares(count)
    for i in range(count // 2):
        next(g)
    local = dict(g.gi_frame.f_locals)
    return local, g.gi_running, g.gi_frame.f_lineno, sum(g), g.gi_frame


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return self.n


print(sum(squares(20000)), sum(x % 7 for x in squares(20000) if x & 1), sum(walk(12)), hot_send(9000), hot_throw(9000))
print(
    delegation(3000),
    fails_inside(9000),
    stop_iteration_inside(6000),
    interleaved(9000),
    infinite(9000),
    frame_state(9000),
)
print(
    sum(Countdown(9000)),
    max(Countdown(6000)),
    list(itertools.islice(Countdown(6000), 3)),
    sum(iter(lambda it=iter(range(9000)): next(it), 8000)),
)
