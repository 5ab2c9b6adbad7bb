# Signals reach loops over arrays: what was stored is a prefix that fits the loop's variables, and handlers change arrays.
# kiln-test: needs=numpy
import itertools
import signal

import numpy as np
from _arrays import exact, fresh


HOT = 80  # rounds after which the timer starts


class Stop(Exception):
    pass


def arm():
    signal.setitimer(signal.ITIMER_REAL, 0.05)


def stop(number, frame):
    raise Stop


def endless_stores(a, b):
    for r in itertools.count(1):
        if r == HOT:
            arm()
        for i in range(len(a)):
            a[i] = r
            b[i] = a[i] * 2 + 1


def endless_rows(grid):
    r = 0
    while True:
        r += 1
        if r == HOT:
            arm()
        for i in range(grid.shape[0]):
            for j in range(grid.shape[1]):
                grid[i, j] = r


def endless_sum(a, total):
    n = 0
    while True:
        if n == HOT * len(a):
            arm()
        for i in range(len(a)):
            total[0] += a[i]
            n += 1


def locals_at(error, name):
    place = error.__traceback__
    while place.tb_frame.f_code.co_name != name:
        place = place.tb_next
    return place.tb_frame.f_locals


def is_prefix(a, done, value, before):
    """Whether the first elements, as many as done or one more, have the value, and all others the one before.

    Between two rounds all elements have one of the values, while `done` is still that of the last round.
    """
    return any((a[:k] == value).all() and (a[k:] == before).all() for k in (0, done, done + 1))


def interrupted(function, *arguments):
    signal.signal(signal.SIGALRM, stop)
    try:
        function(*arguments)
    except Stop as error:
        return locals_at(error, function.__name__)


for dtype in ("float64", "int32", "int64", "float32"):
    a, b = np.zeros(70, dtype), np.zeros(70, dtype)
    found = interrupted(fresh(endless_stores), a, b)
    r, i = found["r"], found["i"]
    print(dtype, is_prefix(a, i, r, r - 1), is_prefix(b, i, 2 * r + 1, 2 * r - 1))
    grid = np.zeros((9, 11), dtype)
    found = interrupted(fresh(endless_rows), grid)
    r, i, j = found["r"], found["i"], found["j"]
    flat = grid.ravel()
    print(dtype, any(is_prefix(flat, done, r, r - 1) for done in (i * 11 + j, i * 11)))
    if dtype != "float32":
        total = np.zeros(1, dtype)
        found = interrupted(fresh(endless_sum), np.ones(50, dtype), total)
        print(dtype, abs(float(total[0]) - found["n"]) <= 1)


def waits(a, limit):
    """Ends because the handler stores."""
    rounds = 0
    while a[3] != 7 and rounds < limit:
        for i in range(3):
            a[i] += 1
        rounds += 1
    return exact(a[3]), a[0] == a[1] == a[2]


def waits_for_shape(a):
    while a.shape[0] == 24:
        a[0] = 5
    return a.shape, exact(a[3, 5])


def waits_for_error(a):
    try:
        while True:
            a[2] = a[2] + 1
    except ValueError as error:
        return str(error)


def during(function, change, *arguments):
    signal.signal(signal.SIGALRM, lambda number, frame: change())
    signal.setitimer(signal.ITIMER_REAL, 0.12)
    result = function(*arguments)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return result


for dtype in ("float64", "int64", "uint32", "complex64"):
    a = np.zeros(9, dtype)
    with np.errstate(over="ignore"):
        print(dtype, during(fresh(waits), lambda: a.__setitem__(3, 7), a, 10**9))
b = np.zeros(24, np.int32)
print(during(waits_for_shape, lambda: setattr(b, "shape", (4, 6)), b))
c = np.zeros(5)
print(during(waits_for_error, lambda: c.setflags(write=False), c))
