# kiln-test: needs=numpy
"""Sums, differences and products of infinite elements raise no flag; those that overflow, and infinities less themselves, do."""

import warnings
import zlib

import numpy as np

warnings.simplefilter("always")


def shortest(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                s = d[i, k] + d[k, j]
                if s < d[i, j]:
                    d[i, j] = s


def shortest_by_min(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])


def sums(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] + b[i]


def differences(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] - b[i]


def products(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] * b[i]


def scaled(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] * 3.0


def chains(a, b, out):
    for i in range(len(a)):
        out[i] = (a[i] + b[i]) * b[i]


def hidden(a, b, out):
    """What overflowed is not stored."""
    for i in range(len(a)):
        s = a[i] + b[i]
        if s < 10.0:
            out[i] = s


def total(a, b, out):
    s = a[0] * 0
    for i in range(len(a)):
        s += a[i]
    out[0] = s


def last(a, b, out):
    s = a[0]
    for i in range(len(a)):
        s = a[i] + b[i]
    out[0] = s


def with_calls(a, b, out):
    """NumPy's loops ask for the flags, and clear them."""
    for i in range(len(a)):
        out[i] = a[i] + b[i]
        b[i] = np.sin(i * 0.5)


def show(f, a, b):
    out = np.zeros_like(a)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(a, b, out)
    print(f.__name__, a.dtype, out.tobytes().hex()[:64], zlib.crc32(out.tobytes()), len(caught), sorted({str(w.message) for w in caught}))


def cases(dtype):
    big = np.finfo(dtype).max
    plain = np.linspace(0.5, 7.5, 300).astype(dtype)
    yield plain, plain
    some = plain.copy()
    some[::7] = np.inf
    yield some, plain
    yield some, some
    yield plain, -some
    mixed = some.copy()
    mixed[14] = -np.inf
    yield some, mixed
    large = plain.copy()
    large[[5, 250, 299]] = big
    yield large, large
    yield large, some
    yield large, plain
    tiny = plain.copy()
    tiny[3::5] = np.finfo(dtype).tiny
    yield tiny, tiny
    nan = some.copy()
    nan[30] = np.nan
    yield nan, plain
    yield nan, some
    other = plain.copy()
    other.view(np.uint64 if dtype is np.float64 else np.uint32)[30] = np.array(-np.nan, dtype).view(
        np.uint64 if dtype is np.float64 else np.uint32) + 5
    yield nan, other


def distances(n, share, dtype):
    state = np.random.RandomState(3)
    d = state.rand(n, n).astype(dtype)
    d[state.rand(n, n) < share] = np.inf
    return d


for dtype in (np.float64, np.float32):
    for share in (0.0, 0.5, 0.95, 1.0):
        for f in (shortest, shortest_by_min):
            for _ in range(3):
                d = distances(24, share, dtype)
                f(d)
            print(f.__name__, share, d.sum(), zlib.crc32(d.tobytes()))
    for f in (sums, differences, products, scaled, chains, hidden, total, last, with_calls):
        for _ in range(4):
            for a, b in cases(dtype):
                show(f, a, b.copy())
        with np.errstate(over="raise"):
            try:
                f(np.full(300, np.finfo(dtype).max), np.full(300, np.finfo(dtype).max), np.zeros(300, dtype))
            except FloatingPointError as error:
                print(f.__name__, error)
