# sys.setprofile and cProfile switched on in the middle of hot loops: the calls they count are exactly python's.
import cProfile
import math
import pstats
import sys

events = []


def profiler(frame, event, argument):
    name = argument.__name__ if event.startswith("c_") else frame.f_code.co_name
    events.append((event, name, frame.f_lineno - frame.f_code.co_firstlineno))


def leaf(x):
    return math.floor(x) + len("abc")


def branch(x):
    if x % 2:
        return leaf(x)
    return abs(-x)


def hot(count, on, off):
    total = 0
    for i in range(count):
        if i == on:
            sys.setprofile(profiler)
        total += branch(i)
        if i == off:
            sys.setprofile(None)
    return total


def fails(x):
    return 1 // x


def with_exceptions(count):
    caught = 0
    for i in range(count):
        if i == 6000:
            sys.setprofile(profiler)
        try:
            fails(i % 2)
        except ZeroDivisionError:
            caught += 1
        if i == 6003:
            sys.setprofile(None)
    return caught


def generator(count):
    for i in range(count):
        yield i


def with_generator(count):
    total = 0
    for i in generator(count):
        if i == 6000:
            sys.setprofile(profiler)
        total += i
        if i == 6003:
            sys.setprofile(None)
    return total


def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


def drain():
    out, events[:] = list(events), []
    return out


print(hot(9000, 6000, 6003))
print(drain())
print(with_exceptions(9000))
print(drain())
print(with_generator(9000))
print(drain())
for i in range(400):
    recursive(8)
sys.setprofile(profiler)
recursive(5)
sys.setprofile(None)
print(drain())

profile = cProfile.Profile()
total = hot(9000, -1, -1)
profile.enable()
hot(3000, -1, -1)
recursive(10)
for k in range(3000):
    leaf(k)
profile.disable()
rows = sorted((name, calls, primitive) for (_, _, name), (primitive, calls, *_) in pstats.Stats(profile).stats.items())
print(rows)
