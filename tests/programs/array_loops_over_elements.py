# Loops over the elements of arrays, several at once, and loops that `while` tests, over strips: what ends them, wraps and fails in their midst.
# kiln-test: needs=numpy
import warnings

import numpy as np

N = 3000


def mixture(a, b, out):
    for i, (x, y) in enumerate(zip(a, b)):
        out[i] = 0.25 * x + 0.75 * y


def count_above(a, limit):
    n = 0
    for x in a:
        if x > limit:
            n += 1
    return n


def sum_of_three(a, b, c):
    total = 0
    for x, y, z in zip(a, b, c):
        total += int(x) + int(y) * int(z)
    return total


def counted(a, out, i, end):
    while i < end:
        out[i] = a[i] + 1
        i += 1
    return i


def down(a, out):
    i = len(a) - 1
    while i >= 0:
        out[i] = a[i] * 2
        i -= 1
    return i


def largest(a):
    most = a[0]
    for i in range(1, len(a)):
        if a[i] > most:
            most = a[i]
    return most


def run():
    floats = np.arange(N) * 0.37 % 11.0
    ints = (np.arange(N) * 7 % 100).astype(np.int32)
    for _ in range(40):
        out = np.zeros(N)
        mixture(floats, floats[::-1], out)
        mixture(floats[:N // 2], floats, out)
        results = [out.tobytes(), count_above(floats, 5.5), count_above(ints, 50), count_above(floats, np.float64(99.0)),
                   sum_of_three(ints, ints[::-1], ints[: N - 7]), counted(floats, out, 0, N), counted(floats, out, -5, N), out.tobytes(),
                   down(ints, out), out.tobytes(), largest(floats), largest(-floats), largest(ints)]
    print(hash(tuple(results[1:7])), results[8], results[10:], sum(results[0]), sum(results[7]), sum(results[9]))
    for failing in (lambda: counted(floats, out[:N - 9], 0, N), lambda: mixture(floats, floats, out[:2000]),
                    lambda: counted(ints, np.zeros(N, np.int8), 0, N + 1)):
        try:
            failing()
        except IndexError as error:
            print(error, out[-12:-8], out[1998:2002])
    special = floats.copy()
    special[N - 5] = np.nan
    special[N - 9] = -0.0
    print(largest(special), largest(special[::-1]), largest(np.zeros(N) * -1.0), count_above(special, -1.0))
    huge = np.full(N, 1e308)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mixture(huge * 1.7, huge * 1.7, out)
        counted(np.full(N, 1.7e308), out, 0, N)
    print(len(caught), {str(each.message) for each in caught}, out[:2])


run()
