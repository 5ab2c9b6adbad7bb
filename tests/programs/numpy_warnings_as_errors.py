# Warnings of NumPy turned into errors leave a hot loop at their line, with all that came before them done.
# kiln-test: needs=numpy
import traceback
import warnings

import numpy as np
from _arrays import exact, fresh


def grows(a, factors):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * factors[i]
    return a


def accumulates(a, out):
    t = a[0]
    for i in range(len(a)):
        t += a[i]
        out.append(t)
    return t


def divides(a, b):
    for i in range(len(a)):
        b[i] = 5
        b[i] = a[i] / (a[-1] - a[i])
    return b


def catches(x, count):
    caught = 0
    t = x
    for i in range(count):
        try:
            t = x * x if i % 3 == 0 else x + x
        except RuntimeWarning as error:
            caught += 1
            text = str(error)
        finally:
            t = t - t
    return caught, text, t


def turned_on_amid(x, count):
    n = 0
    for i in range(count):
        if i == count // 2:
            warnings.simplefilter("error")
        x * x
        n = i
    return n


def roots(values, out):
    for i in range(len(values)):
        out.append(np.sqrt(values[i]))


def stores(a, values):
    """Casts that lose something."""
    for i in range(len(values)):
        a[i % len(a)] = values[i]


def left(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error" if function.__name__ != "turned_on_amid" else "ignore")
        try:
            print(function.__name__, exact(function(*arguments))[:100])
        except Exception as error:
            lines = [f.lineno - function.__code__.co_firstlineno for f in traceback.extract_tb(error.__traceback__)][1:]
            print(function.__name__, type(error).__name__, error, lines)
    for argument in arguments:
        if isinstance(argument, list):
            print(len(argument), exact(argument[-1]))
        elif isinstance(argument, np.ndarray):
            print(np.count_nonzero(argument), exact(argument[-1]), exact(argument[:3]))


for dtype, factor in (("int32", 3), ("float64", 1.2), ("float32", 1.0234), ("uint8", 0), ("int64", 2), ("complex128", 1.2)):
    factors = np.where(np.arange(4000) < 3300, 1, factor * 2).astype(dtype)
    left(fresh(grows), np.ones(4000, dtype), factors)
for dtype, step in (("int16", 10), ("int32", 600000), ("int64", 2**51 + 2**49), ("uint32", 1200000), ("float32", 1e35), ("float64", 5e304)):
    left(fresh(accumulates), np.full(4000, step, dtype), [])
for dtype in ("float64", "float32", "int64", "uint16"):
    left(fresh(divides), np.arange(4000).astype(dtype), np.zeros(4000))
for x in (np.int32(2**31 - 1), np.float64(1.7e308), np.float32(3e38), np.uint8(255)):
    left(fresh(catches), x, 3500)
    left(fresh(turned_on_amid), x, 4000)
left(fresh(roots), np.arange(3500.0)[::-1] - 5, [])
left(fresh(roots), list(np.arange(3500.0)[::-1] - 5), [])
left(fresh(stores), np.zeros(9, np.int32), np.append(np.arange(3500.0), [np.nan, 1.0]))
left(fresh(stores), np.zeros(9, np.float32), np.append(np.arange(3500.0), [1e300, 1.0]))
left(fresh(stores), np.zeros(9), [*np.arange(3500.0), 1e300, np.complex128(1j)])
left(fresh(stores), np.zeros(9, np.uint8), [7] * 3500 + [256, 1])
left(fresh(stores), np.zeros(9, np.int8), [7.5] * 3500 + [1e10, 1])
