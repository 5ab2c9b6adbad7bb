# x ** 2 of floats, ints and NumPy's numbers: the last bit is the C library's pow(), which a product does not always have.
# kiln-test: needs=numpy
import hashlib
import warnings

import numpy as np


def squares(source, out):
    for i in range(len(source)):
        out[i] = source[i] ** 2


def float_squares(source, out):
    for i in range(len(source)):
        out[i] = source[i] ** 2.0


def sum_of_squares(numbers):
    total = 0
    for x in numbers:
        total += x**2 - (x & 3) ** 3
    return total


def digest(array):
    return hashlib.md5(np.asarray(array).tobytes()).hexdigest()


random = np.random.RandomState(5)
edges = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e154, 1.3407807929942596e154, 1.3407807929942597e154, 5e-324, 1.5e-154, 2.3e-162]
values = np.concatenate([random.normal(0, 1, 20000), random.uniform(-1e160, 1e160, 500), random.uniform(0, 1e-160, 500),
                         2.0 ** np.arange(-600, 600), np.nextafter(2.0 ** np.arange(-20, 20), 9.0), np.array(edges)])
out = np.empty_like(values)
with np.errstate(all="ignore"):
    for _ in range(30):
        squares(values[:2000], out)
    squares(values, out)
    print(digest(out), digest(values * values) == digest(out))
floats = [float(x) for x in values if abs(x) < 1e150]
results = [0.0] * len(floats)
for _ in range(30):
    float_squares(floats[:2000], results)
float_squares(floats, results)
print(digest(results))
for bad in (1e200, -1e155):
    try:
        float_squares([0.5, 1.5, bad], results)
    except OverflowError as error:
        print(error, results[:3])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    squares(np.array([1.5, 1e200, 2.5, 1e-300]), out)
    print([str(warning.message) for warning in caught], out[:4])
small = np.array([3, -7, 11, 127, -128], np.int8)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(300):
        squares(small[:2], np.empty(5, np.int8))
    narrow = np.empty(5, np.int8)
    squares(small, narrow)
    print(narrow, len(caught))
for _ in range(60):
    sum_of_squares(range(-50, 1000))
print(sum_of_squares([3037000499, 3037000500, -(2**62), -3]), sum_of_squares(range(-50, 1000)))
