"""NumPy's functions of one and two floats on scalars, in loops: values bit for bit, classes, warnings."""
# kiln-test: needs=numpy

import math
import warnings

import numpy as np

UNARY = ("arccos arccosh arcsin arcsinh arctan arctanh cbrt cos cosh deg2rad degrees exp exp2 expm1 log log10 log1p log2 rad2deg radians "
         "negative reciprocal sign sin sinh tan tanh trunc").split()
BINARY = "arctan2 copysign divide fmax fmin fmod hypot maximum minimum power remainder".split()
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-310, 5e-324, 1e-40, 1e300, -1e300, 710.0, -750.0, 89.0, -104.0, math.inf, -math.inf, math.nan]
RANDOM = np.random.RandomState(3)


def bits(value):
    return type(value).__name__, value.tobytes().hex() if value == value else "nan"


def make(template, name):
    scope = {"np": np}
    exec(template.replace("NAME", name), scope)
    return scope["work"]


ONE = """
def work(a, out):
    for i in range(len(a)):
        out[i] = np.NAME(a[i])
"""
ONE_FLOAT = """
def work(values):
    kept = []
    for x in values:
        kept.append(np.NAME(x))
    return kept
"""
TWO = """
def work(a, b, out):
    for i in range(len(a)):
        out[i] = np.NAME(a[i], b[i])
"""
TWO_FLOATS = """
def work(a, values):
    kept = []
    for i in range(len(a)):
        kept.append((np.NAME(a[i], 1.5), np.NAME(values[i], a[i]), np.NAME(a[i], 2)))
    return kept
"""


def told(work, *arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = work(*arguments)
    return result, [str(warning.message) for warning in caught]


def series(dtype, count=600):
    values = RANDOM.uniform(-3.0, 3.0, count)
    values[:: count // len(SPECIAL)][: len(SPECIAL)] = SPECIAL
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def check(name, kept):
    print(name, *sorted({(k[0], len(k[1])) for k in kept}), sum(int(k[1], 16) % 1009 for k in kept if k[1] != "nan"))


with np.errstate(all="ignore"):
    plain = {dtype: RANDOM.uniform(0.1, 0.9, 3000).astype(dtype) for dtype in (np.float64, np.float32)}
for name in UNARY:
    for dtype in np.float64, np.float32:
        work = make(ONE, name)
        for _ in range(3):
            out = np.zeros(3000, dtype)
            work(plain[dtype], out)
        check(name, [bits(x) for x in out])
        for _ in range(4):
            values = series(dtype)
            out = np.zeros(len(values), dtype)
            _, messages = told(work, values, out)
            wanted, expected = told(lambda: [getattr(np, name)(x) for x in values])
            assert [bits(x) for x in out] == [bits(x) for x in wanted], (name, dtype)
            assert messages == expected, (name, dtype, messages[:3], expected[:3])
        print(name, len(messages), sorted(set(messages)))
    work = make(ONE_FLOAT, name)
    for values in [0.25 + i / 5000 for i in range(3000)], [1] * 2000, [np.int64(1)] * 2000, [np.int32(1)] * 100, [np.uint8(1)] * 10:
        with np.errstate(all="ignore"):
            kept = work(values)
        check(name, [bits(np.asarray(x)[()]) for x in kept])
for name in BINARY:
    for dtype in np.float64, np.float32:
        work = make(TWO, name)
        for _ in range(3):
            out = np.zeros(3000, dtype)
            work(plain[dtype], plain[dtype][::-1], out)
        check(name, [bits(x) for x in out])
        for _ in range(4):
            a, b = series(dtype), RANDOM.permutation(series(dtype))
            out = np.zeros(len(a), dtype)
            _, messages = told(work, a, b, out)
            wanted, expected = told(lambda: [getattr(np, name)(x, y) for x, y in zip(a, b)])
            assert [bits(x) for x in out] == [bits(x) for x in wanted], (name, dtype)
            assert messages == expected, (name, dtype)
        print(name, len(messages), sorted(set(messages)))
        work = make(TWO_FLOATS, name)
        kept = work(plain[dtype], [0.5 + i / 5000 for i in range(3000)])
        check(name, [bits(x) for each in kept for x in each])
for state in {"under": "warn"}, {"over": "raise"}, {"invalid": "ignore"}, {"all": "raise"}:
    with np.errstate(**state):
        for name in "exp", "log", "arccos", "power", "sinh":
            values = np.full(3000, 0.5)
            values[2000] = -800.0 if name == "exp" else 800.0 if name in ("sinh", "power") else -2.0
            out = np.zeros(3000)
            try:
                if name == "power":
                    _, messages = told(make(TWO, name), values, values[::-1] * 1000, out)
                else:
                    _, messages = told(make(ONE, name), values, out)
                print(state, name, messages, np.isfinite(out).sum())
            except FloatingPointError as error:
                print(state, name, error, np.count_nonzero(out))
