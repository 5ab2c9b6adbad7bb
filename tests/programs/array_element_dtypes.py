# Elements of each dtype are read, copied and summed in loops; edge values keep their class and every bit.
# kiln-test: needs=numpy
import numpy as np
from _arrays import FLOATS, INTEGERS, NUMBERS, digest, edge_values, exact, fresh

COUNT = 6000


def filled(dtype):
    return np.resize(edge_values(dtype), COUNT)


def read(a):
    out = []
    for i in range(len(a)):
        out.append(a[i])
    return out


def copy_elements(a, b):
    for i in range(a.shape[0]):
        b[i] = a[i]
    return b


def copy_backwards(a, b):
    i = len(a)
    while i > 0:
        i -= 1
        b[-1 - i] = a[i]
    return b


def total(a):
    t = a[0]
    for i in range(1, len(a)):
        t = t + a[i]
    return t


def total_from_python_zero(a):
    t = 0
    for x in a:
        t += x
    return t


def largest(a):
    best = a[0]
    where = 0
    for i in range(a.size):
        if a[i] > best:
            best = a[i]
            where = i
    return best, where


def count_true(a):
    n = 0
    for i in range(len(a)):
        if a[i]:
            n += 1
    return n


for dtype in NUMBERS:
    a = filled(dtype)
    print(dtype, *digest(fresh(read)(a)))
    print(dtype, fresh(copy_elements)(a, np.zeros_like(a)).tobytes() == a.tobytes(), fresh(count_true)(a))
    print(dtype, fresh(copy_backwards)(a, np.zeros_like(a)).tobytes() == a[::-1].tobytes())
for dtype in INTEGERS:
    a = (np.arange(COUNT) % 11 - (5 if dtype[0] == "i" else 0)).astype(dtype)
    with np.errstate(over="ignore"):
        print(dtype, exact(fresh(total)(a)), exact(fresh(total_from_python_zero)(a)), *map(exact, fresh(largest)(a)))
for dtype in FLOATS:
    a = (np.arange(COUNT) % 7 / 8 - 0.3).astype(dtype)
    print(dtype, exact(fresh(total)(a)), exact(fresh(total_from_python_zero)(a)), *map(exact, fresh(largest)(a)))
for dtype in ("complex64", "complex128"):
    a = (np.arange(COUNT) % 7 / 8 - 0.3j).astype(dtype)
    print(dtype, exact(fresh(total)(a)), exact(fresh(total_from_python_zero)(a)))
flags = np.arange(COUNT) % 3 == 0
print(exact(fresh(total)(flags)), exact(fresh(total_from_python_zero)(flags)), *map(exact, fresh(largest)(flags)))
