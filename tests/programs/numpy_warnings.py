# Warnings of NumPy scalars reach stderr as often as the filters say, each with its text and its line.
# kiln-test: needs=numpy libraries=compiled
import sys
import warnings

import numpy as np
from _arrays import exact, fresh

COUNT = 4000


def sums(x, y, count):
    t = x
    for i in range(count):
        t = x + y
        t = (
            t
            * y
        )
    return t


def divisions(x, count):
    t = x
    for i in range(count):
        t = x / (x * 0); t = (x * 0) / (x * 0)
    return t


def now_and_then(x, y, count):
    n = 0
    for i in range(count):
        n += int((x if i % 1000 == 999 else y) * x > y)
    return n


def inner(x, y):
    return x * y


def called(x, count):
    t = x
    for i in range(count):
        t = inner(x, x) if i % 2 else inner(x, x - x)
    return t


def compared(values, count):
    n = 0
    for i in range(count):
        n += np.sqrt(values[i % 3]) > 1
        n += np.log(values[i % 3]) > 1
    return n


def everything(label):
    print("--", label, file=sys.stderr)
    print(exact(fresh(sums)(np.int32(2**31 - 1), np.int32(7), COUNT)))
    print(exact(fresh(sums)(np.int64(2**63 - 1), np.int64(7), COUNT)))
    print(exact(fresh(sums)(np.uint8(250), np.uint8(7), COUNT)))
    print(exact(fresh(sums)(np.float32(3e38), np.float32(3e38), COUNT)))
    print(exact(fresh(divisions)(np.float64(2), COUNT)))
    print(exact(fresh(divisions)(np.int64(2), COUNT)))
    print(fresh(now_and_then)(np.float64(1e200), np.float64(2), COUNT))
    print(exact(fresh(called)(np.int16(400), COUNT)))
    print(fresh(compared)(np.array([4.0, -1.0, 0.0]), COUNT))


everything("default")
everything("default again")
for action in ("once", "module", "ignore", "default"):
    warnings.resetwarnings()
    warnings.simplefilter(action)
    everything(action)
warnings.resetwarnings()
warnings.filterwarnings("ignore", message="overflow")
warnings.filterwarnings("default", category=RuntimeWarning)
everything("by message")


def changed_amid(x, count):
    """The filters change while the loop runs."""
    t = x
    for i in range(count):
        if i == count - 3:
            warnings.simplefilter("always")
        if i == count - 1:
            warnings.simplefilter("ignore")
        t = x + x
    return t


warnings.resetwarnings()
warnings.simplefilter("ignore")
print(exact(changed_amid(np.int8(100), COUNT)), exact(fresh(changed_amid)(np.float64(1.5e308), COUNT)))


def shown_by(message, category, filename, lineno, file=None, line=None):
    shown.append((str(message), category.__name__, lineno - sums.__code__.co_firstlineno))


shown = []
warnings.resetwarnings()
warnings.simplefilter("always")
warnings.showwarning = shown_by
print(exact(fresh(sums)(np.int16(30000), np.int16(9999), COUNT)), len(shown), sorted(set(shown)))
