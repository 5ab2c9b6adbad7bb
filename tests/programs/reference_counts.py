# Reference counts after hot loops: nothing leaked, nothing released twice, whichever way the loop ended.
import sys


class Token:
    pass


def read_only(token, items, count):
    total = 0
    for i in range(count):
        x = token
        y = items[i % len(items)]
        pair = (x, y)
        a, b = pair
        total += a is token
        items[i % len(items)] = b
    return total


def appended(token, count):
    out = []
    for i in range(count):
        out.append(token)
        if len(out) > 50:
            out.pop()
            out[0] = token
    return len(out)


def passed(token, count):
    def keep(x, y=None, *rest, **named):
        return x

    total = 0
    for i in range(count):
        total += keep(token) is token
        total += keep(token, token) is keep(x=token, y=3)
        total += keep(token, 1, token, z=token) is not None
    return total


def raises(token, count):
    failures = 0
    for i in range(count):
        held = token
        try:
            if i % 3 == 0:
                (held, i)[2]
            elif i % 3 == 1:
                held + i
            else:
                held.nothing
        except (IndexError, TypeError, AttributeError):
            failures += 1
    return failures


def leaves_midway(token, count):
    for i in range(count):
        held = [token, (token, i)]
        for x in held:
            if i == count - 2:
                return x


def escapes(token, count):
    for i in range(count):
        held = token
        other = [held] * 3
        if i == count - 1:
            raise ValueError
    return other


def big_and_boxed(values, count):
    total = 0
    for i in range(count):
        v = values[i % len(values)]
        w = v + 0
        total ^= w
        values[i % len(values)] = v
    return total


def cells(token, count):
    box = token

    def get():
        return box

    for i in range(count):
        box = get()
    return box is token


def generator(token, count):
    def produce():
        for _ in range(count):
            yield token

    return sum(x is token for x in produce())


token = Token()
items = [token, 1, None, 2.5, "text"]
big = [2**70 + 1, 2**80 + 3, 10**25]
before = sys.getrefcount(token), sys.getrefcount(items), [sys.getrefcount(b) for b in big]
for function, arguments in (
    (read_only, (token, items, 9000)),
    (appended, (token, 9000)),
    (passed, (token, 9000)),
    (raises, (token, 9000)),
    (leaves_midway, (token, 9000)),
    (escapes, (token, 9000)),
    (big_and_boxed, (big, 9000)),
    (cells, (token, 9000)),
    (generator, (token, 9000)),
):
    for _ in range(3):
        try:
            result = function(*arguments)
        except ValueError:
            result = "raised"
        print(function.__name__, result if result is not token else "token", end=" ")
        del result
        print(sys.getrefcount(token), sys.getrefcount(items), [sys.getrefcount(b) for b in big])
print(before)
total = 0
for k in range(9000):
    alias = token
    group = [alias, alias]
    total += len(group)
del alias, group
print(total, sys.getrefcount(token), sys.getrefcount(Token))
