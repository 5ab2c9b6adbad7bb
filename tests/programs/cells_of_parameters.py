# Parameters that closures share, in functions that are called from hot code: numbers that may be objects already, and are
# somebody else's, too, tuples and complex numbers; given once, twice, for the last time, and used again afterwards.
import sys


class Span:
    def __init__(self, low, high):
        self.low = low
        self.high = high


def clamper(low, high):
    def clamp(x):
        return low if x < low else high if x > high else x

    return clamp


def holder(first, second=None):
    def held():
        return first, second

    return held


def setter(value):
    def change(by):
        nonlocal value
        value = value + by
        return value

    return change


def last_use(low, high, count):
    middle = low - low
    for _ in range(count):
        middle += high - low
    return clamper(low, high)(middle)


def filtered(low, high):
    chosen = [x for x in (low - low, low, high, high - low) if x > 1]
    return clamper(low, high)(chosen[0])


def used_again(low, high, count):
    for _ in range(count):
        high = high + low if count > 3 else high
    clamp = clamper(low, high)
    return clamp(low + high), low, high


def twice(low, high, count):
    for _ in range(count):
        pass
    a, b = holder(low, low)()
    return a is b and a == low, high


def pairs(low, high, count):
    pair = (low, high)
    for _ in range(count):
        pass
    a, b = holder(pair, pair)()
    return a is b and a is pair and a == (low, high)


def changed(low, high, count):
    change = setter(low)
    for _ in range(count):
        change(high)
    return change(low), low


def complexes(low, high, count):
    z = complex(low, high)
    for _ in range(count):
        z = z * 1j
    a, b = holder(z, z)()
    return a is b and a == z, z


def own(low, high, count):
    def total():
        return low + high

    for _ in range(count):
        high += 1
    return total()


def references(span):
    return sys.getrefcount(span.low), sys.getrefcount(span.high)


def drive(function, span, rounds):
    result = None
    for i in range(rounds):
        result = function(span.low, span.high, i % 5)
    return repr(result)


def spans():
    yield Span(float("1.5"), float("9.5"))
    yield Span(int("1001"), int("9005"))
    yield Span(int("1" + "0" * 25), int("9" + "0" * 25))


for span in spans():
    before = references(span)
    for function in last_use, used_again, twice, pairs, changed, own, lambda low, high, _: filtered(low, high):
        print(drive(function, span, 3000), references(span) == before, span.low, span.high)
    if isinstance(span.low, float):
        print(drive(complexes, span, 3000), references(span) == before)
