# Powers with exponents that products, quotients and roots could make: the last bit is the C library's pow(), which these do not always have.
# kiln-test: needs=numpy
import hashlib

import numpy as np

COUNT = 4000
random = np.random.RandomState(7)
edges = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 4.0, 9.0, -8.0, 5e-324, 1.7e308]
VALUES = np.concatenate([random.uniform(0, 10, COUNT), random.normal(0, 3, COUNT), 10.0 ** random.uniform(-20, 20, COUNT),
                         10.0 ** random.uniform(-300, 300, COUNT), 2.0 ** np.arange(-1074, 1023), np.arange(-50.0, 50.0), edges])
FLOATS = [x for x in VALUES.tolist() if 1e-60 < abs(x) < 1e60]
SOURCE = """
def elements(source, out):
    for i in range(len(source)):
        out[i] = source[i] ** EXPONENT

def sums(source, out):
    for i in range(len(source)):
        out[i] = source[i] ** EXPONENT + 1.0

def floats(numbers):
    return [x ** EXPONENT for x in numbers]
"""


def digest(array):
    return hashlib.md5(np.asarray(array).tobytes()).hexdigest()


for exponent in ("0.5", "1.5", "-0.5", "-1.5", "-1", "3", "3.0", "-2", "4", "-3", "2.5", "3.5", "-2.5", "1.0", "0", "4.5", "5"):
    space = {}
    exec(SOURCE.replace("EXPONENT", exponent), space)
    results = np.empty_like(VALUES)
    with np.errstate(all="ignore"):
        space["elements"](VALUES, results)
    size = np.abs(VALUES[:2 * COUNT])
    plain = np.empty_like(size)
    for _ in range(3):
        space["sums"](size, plain)
    is_whole = float(exponent) == int(float(exponent))
    powers = space["floats"](FLOATS if is_whole else [abs(x) for x in FLOATS])
    print(exponent, digest(results), digest(plain), digest(powers))
    try:
        print(type(space["floats"]([4.0] * 500 + [-2.0])[-1]))
        print(space["floats"]([4.0] * 500 + [0.0])[-1])
    except ZeroDivisionError as error:
        print(error)
