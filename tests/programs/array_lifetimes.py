# A view keeps its base alive, and no longer than under python: each array's end is seen by a weak reference.
# kiln-test: needs=numpy
import weakref

import numpy as np
from _arrays import exact, fresh

ended = []


def watched(size, name):
    a = np.arange(size, dtype=float)
    weakref.finalize(a, ended.append, name)
    return a


def view_outlives(rounds):
    t = 0.0
    view = None
    for i in range(rounds):
        base = watched(8, i)
        t += 0 if view is None else view[-1]
        view = base[i % 8 :: -1] if i % 3 else base[2:]
        del base
        t += view[0]
    before = len(ended)
    view = None
    return t, before, len(ended)


def row_outlives(rounds):
    t = 0.0
    for i in range(rounds):
        grid = watched(12, i).reshape(3, 4)
        row = grid[i % 3]
        grid = None
        t += row[0] + row[-1] + len(ended) * 0.001
    return t


def element_does_not(rounds):
    t = 0.0
    for i in range(rounds):
        t += watched(3, i)[i % 3] + len(ended)
    return t


def rebound(rounds):
    a = watched(16, "first")
    counts = []
    for i in range(rounds):
        for k in range(len(a)):
            a[k] += 1
            if k == 5 and i % 50 == 3:
                a = watched(16, i)
        counts.append(len(ended))
    return sum(counts), float(a.sum())


def iterated(rounds):
    """The iterator alone holds the array."""
    t = 0.0
    for i in range(rounds):
        for k, x in enumerate(watched(20, i)):
            t += x * k + len(ended) * 0.01
    return t


def base_of_base(rounds):
    chain = watched(rounds + 2, "whole")
    for i in range(rounds):
        chain = chain[1:]
        chain[0] += i
    return exact(chain), chain.base is not None, len(ended)


for function, rounds in (
    (view_outlives, 4000),
    (row_outlives, 4000),
    (element_does_not, 4000),
    (rebound, 600),
    (iterated, 400),
    (base_of_base, 3500),
):
    ended.clear()
    print(function.__name__, fresh(function)(rounds), len(ended), ended[:3], ended[-2:])
