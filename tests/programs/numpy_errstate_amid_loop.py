# np.errstate and np.seterr changed while hot loops run: ignored, warned, raised, handed to a callback, printed.
# kiln-test: needs=numpy
import traceback
import warnings

import numpy as np
from _arrays import exact, fresh, heard

COUNT = 4500
calls = []


def by_phases(x, y, settings):
    """Each phase of the loop has another setting; every fault is counted by what came of it."""
    counts = {}
    t = x
    for i in range(COUNT):
        if i % (COUNT // len(settings)) == 0:
            old = np.seterr(**settings[i * len(settings) // COUNT])
        try:
            t = x / y if i % 2 else x * x
            what = exact(t)
        except FloatingPointError as error:
            what = str(error)
        counts[what] = counts.get(what, 0) + 1
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    return counts, sorted(old.items())


def within(x, y):
    t = x
    raised = 0
    for i in range(COUNT):
        if i % 3 == 0:
            with np.errstate(all="ignore"):
                t = x / y
        elif i % 500 == 1:
            try:
                with np.errstate(all="raise"):
                    t = x / y
            except FloatingPointError:
                raised += 1
        else:
            t = t + x
    return t, raised


def raised_at_last(x, small, zero):
    """Without a handler in the loop: the exception comes out of compiled code."""
    t = x
    with np.errstate(all="raise"):
        for i in range(COUNT):
            t = t + x / (small if i < COUNT - 1 else zero)
    return t


def called_back(kind, flag):
    calls.append((kind, flag))


def handed_over(x, y):
    t = x
    with np.errstate(call=called_back, all="call"):
        for i in range(COUNT):
            t = x / y if i % 100 == 99 else x + y
    return t, len(calls), calls[0], calls[-1]


class Log:
    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines.append(text)


def logged(x, y):
    log = Log()
    t = x
    with np.errstate(call=log, all="log"):
        for i in range(COUNT):
            t = x * x if i % 100 == 99 else x - y
    return t, len(log.lines), log.lines[0]


def switched_by_callee(x, y):
    n = 0
    for i in range(COUNT):
        if i == COUNT // 2:
            switch("ignore")
        if i == COUNT - 10:
            switch("warn")
        n += np.isinf(x / y)
    return n


def switch(how):
    np.seterr(all=how)


def underflow(x):
    n = 0
    t = x
    for i in range(COUNT):
        t = t * x if t != 0 else x
        n += t == 0
        if i == COUNT // 3:
            np.seterr(under="warn")
        if i == COUNT // 3 + 200:
            np.seterr(under="ignore")
    return n, t


def elements(a, b):
    """The same for elements of arrays, stored back."""
    for i in range(len(a)):
        if i == len(a) // 2:
            np.seterr(divide="ignore", invalid="ignore")
        a[i] /= b[i % len(b)]
    np.seterr(divide="warn", invalid="warn")
    return exact(a[-1]), exact(a[0]), exact(np.nan_to_num(a).sum())


SETTINGS = [{"all": "warn"}, {"all": "ignore"}, {"all": "raise"}, {"divide": "warn", "over": "raise"}, {"invalid": "ignore"}]
for dtype in ("float64", "float32", "int32", "int64", "float16"):
    make = np.dtype(dtype).type
    big = make(100000 if dtype == "int32" else 4 * 10**18 if dtype == "int64" else np.finfo(dtype).max / 2)
    for x, y in ((big, make(0)), (make(0), make(0)), (make(3), make(2))):
        print(dtype, heard(fresh(by_phases), x, y, SETTINGS))
    print(heard(fresh(within), make(1), make(0)))
    print(heard(fresh(switched_by_callee), make(1), make(0)))
    calls.clear()
    if dtype[0] == "f":
        print(heard(fresh(handed_over), big, make(0)), heard(fresh(logged), big, make(0)))
        print(heard(fresh(underflow), np.sqrt(np.finfo(dtype).tiny)))
        print(heard(fresh(elements), np.arange(4000, dtype=dtype), np.array([0, 1, 2], dtype)))
    function = fresh(raised_at_last)
    try:
        function(make(1), make(1), make(0))
    except FloatingPointError as error:
        frames = traceback.extract_tb(error.__traceback__)
        print(error, [frame.lineno - function.__code__.co_firstlineno for frame in frames][1:])
print(np.geterr())
with warnings.catch_warnings():
    warnings.simplefilter("error")
    with np.errstate(all="ignore"):
        print(heard(fresh(within), np.float64(1), np.float64(0)))
