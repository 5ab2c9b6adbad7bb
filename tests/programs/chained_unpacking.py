# What is unpacked and kept under other names by the same statement, before or behind.
# kiln-test: modes=always,quick,default,deopt,gc
import gc
import sys
from collections import namedtuple

gc.freeze()  # what was there before is nothing for the collections of mode gc
Point = namedtuple("Point", "x y")


def lists(i):
    return [i, i + 1]


def tuples(i):
    return (i, i + 1)


def named(i):
    return Point(i, i + 1)


def texts(i):
    return "ab"


def chained(make, n):
    t = 0
    for i in range(n):
        x = (a, b) = make(i)
        (c, d) = y = make(i)
        z = [e, *f] = w = make(i)
        u = (g, h) = v = make(i)
        t += (a == c) + (b == d) + (e == g) + len(f) + (x == y) + (z is w) + (u is v)
        if i % 1000 == 0:
            t += sys.getrefcount(x) + sys.getrefcount(y) + sys.getrefcount(z) + sys.getrefcount(u)
    return t


def shared(items, n):
    t = 0
    for i in range(n):
        x = (a, b) = items[i % len(items)]
        t += a + b + x[0]
    return t


for make in lists, tuples, named, texts:
    print(chained(make, 3000))


L = [[1, 2], [3, 4], [5, 6]]
T = [tuple(l) for l in L]
print(shared(L, 3000), shared(T, 3000), [sys.getrefcount(x) for x in L + T])
