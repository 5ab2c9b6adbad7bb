# Faults amid long runs of element operations: what handlers of warnings and errors see then, and what they change.
# kiln-test: needs=numpy
import warnings
import zlib

import numpy as np
from _arrays import exact, fresh

N = 3600
seen = []
watched = []


def scaled(a, factors):
    for i in range(len(a)):
        a[i] = a[i] * factors[i]


def scaled_in_place(a, factors):
    for i in range(len(a)):
        a[i] *= factors[i]


def two_faults(a, b, c):
    for i in range(len(a)):
        b[i] = a[i] / c[i]
        a[i] = b[i] * b[i]
        c[i] = b[i] - b[i]


def running(a, out):
    t = a.dtype.type(1)
    for i in range(len(a)):
        t = t + a[i]
        out[i] = t
    return t


def stencil(u, v):
    for i in range(1, len(u) - 1):
        v[i] = (u[i - 1] + u[i + 1]) * u[i]
    return v[1]


def rooted(a, b):
    for i in range(len(a)):
        b[i] = np.sqrt(a[i]) + np.log(a[i] + 1)


def state():
    return [f"{zlib.crc32(a.tobytes()):08x}" for a in watched]


def look(message, category, filename, lineno, file=None, line=None):
    """Shows a warning: notes what the arrays hold at that time."""
    seen.append((str(message), lineno - where, state()))


def meddle(message, category, filename, lineno, file=None, line=None):
    """The same, and changes what the loop will read next."""
    look(message, category, filename, lineno)
    if len(seen) % 3 == 1:
        watched[0][-len(seen) :] = 0
        watched[0][len(watched[0]) // 2 :] += 1


def refuse(message, category, filename, lineno, file=None, line=None):
    if len(seen) == 5:
        raise ValueError("enough")
    look(message, category, filename, lineno)


def quieten(message, category, filename, lineno, file=None, line=None):
    look(message, category, filename, lineno)
    if len(seen) == 4:
        np.seterr(all="ignore")


def arguments(function, dtype):
    """Arrays that are harmless but for a few places far in."""
    a = np.linspace(1, 2, N).astype(dtype)
    other = np.ones(N, dtype)
    big = np.sqrt(np.finfo(dtype).max) * 4
    other[[1500, 1501, 1507, 2600, 3599]] = 0
    match function.__name__:
        case "scaled" | "scaled_in_place":
            factors = np.where(other == 0, np.finfo(dtype).max, 1).astype(dtype)
            return a, factors
        case "two_faults":
            a[2000:2003] = big
            return a, np.zeros(N, dtype), other
        case "running":
            a[2500] = a[2600] = np.finfo(dtype).max
            a[3000] = -np.inf
            return a, other
        case "stencil":
            a[[1200, 1202, 3000]] = big
            return a, other
    a[[1100, 2222, 2223]] = -1
    a[3333] = -5
    return a, other


def watch(function, dtype, show):
    global where
    made = arguments(function, dtype)
    where = function.__code__.co_firstlineno
    watched[:] = made
    seen.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        try:
            print(function.__name__, dtype, show.__name__, exact(function(*made)))
        except Exception as error:
            print(function.__name__, dtype, show.__name__, type(error).__name__, error)
    np.seterr(all="warn", under="ignore")
    print("  ", len(seen), seen[:3], seen[-1:], state())


for function in (scaled, scaled_in_place, two_faults, running, stencil, rooted):
    for dtype in ("float64", "float32"):
        for show in (look, meddle, refuse, quieten):
            watch(fresh(function), dtype, show)


def by_call(kind, flag):
    seen.append((kind, flag, state()))
    if len(seen) == 3:
        raise LookupError("from the handler")
    watched[0][3000:] = 1


for function in (scaled, two_faults, running, stencil):
    for how in ("call", "raise"):
        made = arguments(function, "float64")
        watched[:] = made
        seen.clear()
        try:
            with np.errstate(all=how, call=by_call):
                print(function.__name__, how, exact(fresh(function)(*made)))
        except (LookupError, FloatingPointError) as error:
            print(function.__name__, how, type(error).__name__, error)
        print("  ", len(seen), seen[-1:], state())


def ints(a, out):
    t = a.dtype.type(1)
    for i in range(len(a)):
        out[i] = a[i] * a[i]
        t += a[i]
    return t


for dtype, large in (("int32", 2**31 - 5), ("int64", 2**63 - 9), ("uint8", 250), ("int16", 2**15 - 1)):
    for show in (look, meddle, refuse):
        values = np.ones(N, dtype)
        values[[900, 1800, 1801, 3500]] = large
        arguments_of_ints = values, np.zeros(N, dtype)
        function = fresh(ints)
        where = function.__code__.co_firstlineno
        watched[:] = arguments_of_ints
        seen.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = show
            try:
                print(dtype, exact(function(*arguments_of_ints)))
            except ValueError as error:
                print(dtype, error)
        print("  ", len(seen), seen[:2], seen[-1:], state())
