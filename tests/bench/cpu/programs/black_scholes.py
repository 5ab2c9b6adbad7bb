"""Prices of options by Black and Scholes: exponentials, logarithms and a polynomial for each element."""

import functools
import math
import sys

import numpy as np

BENCH = {"group": "array", "size": 60000, "small": 300, "kernels": ["normal", "price"], "numba_tolerance": 1e-9}


@functools.cache
def options(n):
    random = np.random.RandomState(12)
    return random.uniform(5.0, 30.0, n), random.uniform(1.0, 100.0, n), random.uniform(0.25, 10.0, n)


def normal(d):
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    tail = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    value = 0.3989422804014327 * math.exp(-0.5 * d * d) * tail
    return 1.0 - value if d > 0 else value


def price(stock, strike, years, rate, volatility, call, put):
    for i in range(len(stock)):
        root = math.sqrt(years[i])
        d1 = (math.log(stock[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / (volatility * root)
        d2 = d1 - volatility * root
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = stock[i] * normal(d1) - discounted * normal(d2)
        put[i] = discounted * (1.0 - normal(d2)) - stock[i] * (1.0 - normal(d1))


def run(n):
    call, put = np.empty(n), np.empty(n)
    price(*options(n), 0.02, 0.3, call, put)
    return call + 2.0 * put


def summary(array):
    return repr(float(array.sum()))


if __name__ == "__main__":
    print(summary(run(int(sys.argv[1]))))
