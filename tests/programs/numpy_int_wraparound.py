# Sums, differences, products and negatives of NumPy integers wrap around, each with its RuntimeWarning at its line.
# kiln-test: needs=numpy
import numpy as np
from _arrays import INTEGERS, digest, edge_values, exact, fresh, heard

COUNT = 4000


def sums(values):
    out = []
    for i in range(COUNT):
        x, y = values[i % len(values)], values[(i * 7 + 3) % len(values)]
        out.append(x + y)
        out.append(x - y)
    return out


def products(values):
    out = []
    for i in range(COUNT):
        x, y = values[i % len(values)], values[(i * 5 + 1) % len(values)]
        out.append(
            x * y
        )
    return out


def negatives(values):
    out = []
    for i in range(COUNT):
        x = values[i % len(values)]
        out.append(-x)
        out.append(abs(x))
        out.append(+x)
    return out


def counted_up(one, count):
    """Wraps around in round `limit` of a loop that was quiet before."""
    t = one * 0
    for _ in range(count):
        t += one
    return t


def hashed(values):
    h = values[0]
    for i in range(COUNT):
        h = (h ^ values[i % len(values)]) * values[1]
    return h


for dtype in INTEGERS:
    values = edge_values(dtype)
    for function in (sums, products, negatives):
        result, warned = heard(fresh(function), values)
        print(dtype, function.__name__, *digest(result), warned)
    one = np.dtype(dtype).type(1)
    result, warned = heard(fresh(counted_up), one, 3500)
    print(dtype, exact(result), warned)
    near = values.max() if values.max() < 3000 else values.max() // 3000
    result, warned = heard(fresh(counted_up), near.astype(dtype), 3500)
    print(dtype, exact(result), warned)
    primes = np.array([97, 31, 113, 7, 61], dtype)
    result, warned = heard(fresh(hashed), primes)
    print(dtype, exact(result), warned)
with np.errstate(over="ignore"):
    for dtype in INTEGERS:
        result, warned = heard(fresh(hashed), np.array([97, 31, 113, 7, 61], dtype))
        print(dtype, exact(result), warned)
