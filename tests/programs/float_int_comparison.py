# Comparison of ints with floats is exact, at 2^53 and beyond, with inf and nan.
import math


def compare_all(ints, floats, count):
    hits = [0] * 6
    for i in range(count):
        a = ints[i % len(ints)]
        b = floats[i // len(ints) % len(floats)]
        hits[0] += a < b
        hits[1] += a <= b
        hits[2] += a == b
        hits[3] += a != b
        hits[4] += a > b
        hits[5] += b >= a
    return hits


def around(edge, count):
    i = edge - count // 2
    f = float(edge)
    below = equal = above = 0
    for _ in range(count):
        if i < f:
            below += 1
        elif i == f:
            equal += 1
        else:
            above += 1
        i += 1
    return below, equal, above


def float_counter(limit):
    x = 0.0
    n = 0
    while x != limit:
        x += 1
        n += 1
    return x, n


INTS = [0, 1, -1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), 2**63, 10**400, -(10**400)]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    0.5,
    -1.5,
    2.0**53,
    2.0**53 + 2,
    -(2.0**53),
    2.0**63,
    -(2.0**63),
    math.inf,
    -math.inf,
    math.nan,
    1e308,
]
print(compare_all(INTS, FLOATS, 9000))
for power in (31, 52, 53, 54, 62, 63, 64, 100):
    print(power, around(2**power, 6000), around(-(2**power), 6000))
print(float_counter(9000))
print([[a < b for b in FLOATS] for a in INTS])
print([[a == b for b in FLOATS] for a in INTS])
print(hash(2**53) == hash(2.0**53), 2**53 in [2.0**53], {1: "a"}[1.0])
