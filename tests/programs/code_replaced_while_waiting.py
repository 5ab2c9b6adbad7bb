"""A function is given other code while activations of it wait: they go on with the code that they were called with."""

import sys
import traceback


def cur(n, swap):
    if n == swap:
        cur.__code__ = alt.__code__
    if n == 0:
        return 0
    return 1 + cur(n - 1, swap)


def alt(n, swap):
    if n == 0:
        return 1000
    return 2 + cur(n - 1, swap)


first, second = cur.__code__, alt.__code__
total = 0
for i in range(3000):
    total += cur(30, -1)
print(total)
for swap in 30, 20, 1, 0, 29:
    print(swap, cur(30, swap), cur(5, -1))
    cur.__code__ = first
    print(sum(cur(20, -1) for _ in range(300)))


# The old code is the frames' alone.
def single(n):
    if n == 20:
        single.__code__ = other.__code__
    return 1 + single(n - 1)


def other(n):
    if n == 0:
        return 1000
    return 2 + single(n - 1)


print(single(30), single(30))


# And whoever looks sees that code, with its locals and lines.
def look(n, depth):
    if depth == 0:
        look.__code__ = looked.__code__
        frame, seen = sys._getframe(), []
        while frame is not None:
            seen.append((frame.f_code.co_name, frame.f_lineno, sorted(frame.f_locals)))
            frame = frame.f_back
        print(seen[:4], seen[-2:])
        raise ValueError(n)
    before = n * 2
    result = look(before, depth - 1)
    return result + before


def looked(n, depth):
    return n


for _ in range(2):
    look_code = look.__code__
    try:
        look(1, 12)
    except ValueError as error:
        print(error, [entry.lineno for entry in traceback.extract_tb(error.__traceback__)])
    print(look(1, 12))
    look.__code__ = look_code


# Inlined callees that wait.
def outer(n):
    total = 0
    for i in range(n):
        total += middle(i, i == n - 5) + 1
    return total


def middle(i, swaps):
    result = inner(i, swaps)
    return result * 2


def inner(i, swaps):
    if swaps:
        middle.__code__ = middle_then.__code__
        inner.__code__ = inner_then.__code__
        print([sys._getframe(depth).f_code.co_name for depth in range(3)], sys._getframe(1).f_lineno)
    return i


def middle_then(i, swaps):
    return -i


def inner_then(i, swaps):
    return i + 100


for function in outer, middle, inner:
    function.__code__ = function.__code__.replace()
codes = middle.__code__, inner.__code__
for _ in range(3):
    print(outer(4000))
    middle.__code__, inner.__code__ = codes
