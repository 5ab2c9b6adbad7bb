"""Chains of float operations in loops of few rounds: each fault of a chain is warned of at its own line, before what comes behind it."""
# kiln-test: needs=numpy modes=thorough,always,default,deopt

import itertools
import warnings
import zlib

import numpy as np

INF, NAN = float("inf"), float("nan")
VALUES = {
    "float64": [0.0, -0.0, 1.0, -2.5, 1e308, -1e308, 1e-308, 5e-324, 1e-160, 1e160, INF, -INF, NAN],
    "float32": [0.0, 1.0, -2.5, 3e38, -3e38, 1e-38, 1e-45, 1e-20, 1e20, INF, NAN],
}


def nearest(points, centres, found):
    """The inner loop has few rounds; its chain ends in a comparison, and there is a store behind it."""
    for i in range(len(points)):
        best = INF
        for k in range(len(centres)):
            dx = points[i, 0] - centres[k, 0]
            dy = points[i, 1] - centres[k, 1]
            d = (dx * dx
                 + dy * dy)
            if d < best:
                best = d
                found[i] = k
    return best


def taken(a, at, out):
    """Indices are checked amid the chain: an error comes behind the warnings of what was computed before."""
    total = a[0]
    for i in range(len(at)):
        x = a[i] * a[0]
        y = x - a[at[i]]
        total = total * y
        out[at[i]] = -total + x
    return total


def left_behind(a, out):
    """What a choice drops, or a quotient swallows, was a fault all the same."""
    for i in range(len(a)):
        x = a[i] * a[i]
        y = x + 1.0
        z = a[0] / y if y > 1.0 else a[0] - x
        out[i] = z if z == z else a[i]
    return out[0]


def heard(work, *arguments):
    arrays = [argument.copy() for argument in arguments]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            end = work(*arrays)
            end = (type(end).__name__, repr(end))
        except (IndexError, FloatingPointError) as error:
            end = (str(error), error.__traceback__.tb_next.tb_lineno - work.__code__.co_firstlineno)
    told = [(str(warning.message), warning.lineno - work.__code__.co_firstlineno) for warning in caught]
    return end, told, [np.where(array == array, array, 77).tobytes() for array in arrays]  # nans: numpy_nan_bits


def summed(results):
    count = sum(len(told) for _, told, _ in results)
    kinds = sorted({(text, line) for _, told, _ in results for text, line in told})
    stored = sum(zlib.crc32(data) for _, _, arrays in results for data in arrays)
    return count, kinds, stored


def warm(work, *arguments):
    for _ in range(400):
        work(*(argument.copy() for argument in arguments))


def tried(work, cases, *plain):
    warm(work, *plain)
    results = []
    for arguments in cases:
        results.append(heard(work, *arguments))
    print(work.__name__, plain[0].dtype, summed(results), [end for end, told, _ in results if told][:4])
    return results


for dtype, values in VALUES.items():
    ordinary = np.linspace(1.0, 2.0, 12).astype(dtype)
    pairs = list(itertools.product(values, repeat=2))
    points = ordinary.reshape(6, 2)
    centres = np.ones((3, 2), dtype)
    indices = np.zeros(12, np.int64)
    for under in ("ignore", "warn", "raise"):
        with np.errstate(under=under):
            print(under)
            cases = []
            for one, other in pairs:
                special = points.copy()
                special[3] = one, other
                cases.append((special, centres, np.zeros(6, np.int64)))
                elsewhere = centres.copy()
                elsewhere[1] = other, one
                cases.append((points, elsewhere, np.zeros(6, np.int64)))
            tried(nearest, cases, points, centres, np.zeros(6, np.int64))
            cases = []
            for one, other in pairs:
                special = ordinary.copy()
                special[4:6] = one, other
                cases.append((special, indices, np.zeros(12, dtype)))
                for wrong in (12, -13):
                    beyond = indices.copy()
                    beyond[4] = wrong
                    cases.append((special, beyond, np.zeros(12, dtype)))
            tried(taken, cases, ordinary, indices, np.zeros(12, dtype))
            cases = []
            for one, other in pairs:
                special = ordinary.copy()
                special[5:7] = one, other
                cases.append((special, np.zeros(12, dtype)))
            tried(left_behind, cases, ordinary, np.zeros(12, dtype))
