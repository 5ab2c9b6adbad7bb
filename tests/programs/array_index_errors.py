# An index out of range raises NumPy's IndexError, at its line and with all that came before it stored.
# kiln-test: needs=numpy
import traceback

import numpy as np
from _arrays import exact, fresh


def run_off_the_end(a, step):
    i = 0
    while True:
        a[i] += 1
        i += step


def run_off_a_row(a):
    for i in range(len(a)):
        for j in range(a.shape[1] + (i == len(a) - 2)):
            a[i, j] = i - j


def run_off_through_a_row(a):
    for i in range(len(a)):
        row = a[i]
        for j in range(a.shape[1] + (i == len(a) - 1)):
            row[j] = row[j] * 2 + 1


def look_ahead(a, b):
    for i in range(len(a)):
        b[i] = 7
        b[i] = a[i + 1] - a[i]


def store_off(a, values):
    for i in range(len(values)):
        a[i] = values[i]


def too_many(a, count):
    for i in range(count):
        if i == count - 1:
            a = a[0]
        a[i % 3, i % 2] = i % 100


def too_many_reads(a, count):
    t = 0
    for i in range(count):
        t += a[i % 3, 0] if i < count - 1 else a[i % 3, 0, 0]
    return t


def left(function, a, *arguments):
    try:
        print(function(a, *arguments))
    except IndexError as error:
        lines = [frame.lineno - function.__code__.co_firstlineno for frame in traceback.extract_tb(error.__traceback__)]
        text = traceback.format_exception_only(error)[-1].strip()
        print(function.__name__, text, lines[1:], zip_ends(a))


def zip_ends(a):
    return a.ravel()[:4].tolist(), a.ravel()[-4:].tolist(), exact(a.sum())


for dtype in ("int64", "float32", "uint8", "complex128", "float16", "object"):
    left(fresh(run_off_the_end), np.zeros(5000, dtype), 1)
    left(fresh(run_off_the_end), np.zeros(9001, dtype), 3)
    left(fresh(run_off_the_end), np.zeros(5000, dtype), -1)
    left(fresh(run_off_the_end), np.zeros(10000, dtype)[::2], 1)
    left(fresh(look_ahead), (np.arange(5000) % 100).astype(dtype), np.zeros(5000, dtype))
    left(fresh(store_off), np.zeros(4000, dtype), np.arange(4010) % 100)
    left(fresh(store_off), np.zeros(4000, dtype), list(range(100)) * 41)
    left(fresh(too_many), np.zeros((3, 2), dtype), 5000)
    left(fresh(too_many_reads), np.zeros((3, 2), dtype), 5000)
for dtype in ("int16", "float64"):
    for order in "CF":
        left(fresh(run_off_a_row), np.zeros((70, 70), dtype, order))
        left(fresh(run_off_through_a_row), np.zeros((70, 70), dtype, order))


def caught_each_time(a, count):
    """Handlers in the loop: half of the rounds raise."""
    errors = {}
    kept = 0
    for i in range(count):
        try:
            a[i % (2 * len(a)) - len(a) // 2] += 1
            kept += 1
        except IndexError as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return kept, errors, a.tolist()


print(caught_each_time(np.zeros(6), 5000))
print(fresh(caught_each_time)(np.zeros(6, np.int32), 5000))
