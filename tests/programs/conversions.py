# int(), float(), round(), bool() of edge values in loops, and what they raise.
import math


def truncate(values, count):
    total = 0
    errors = {}
    for i in range(count):
        x = values[i % len(values)]
        try:
            total += int(x)
        except (OverflowError, ValueError) as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return total, errors


def rounds(count):
    total = 0
    near = 0.0
    for i in range(count):
        x = i / 8 - 300
        total += round(x)
        near += round(x, 1) + round(x, 0) + round(i, -2) + round(x, None)
    return total, near.hex(), type(round(2.5)), type(round(2.5, 0)), round(2.5), round(3.5), round(-0.5), round(0.5)


def to_float(values, count):
    out = 0.0
    errors = {}
    for i in range(count):
        try:
            out += float(values[i % len(values)])
        except (OverflowError, ValueError) as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return out.hex(), errors


def truth(values, count):
    n = 0
    for i in range(count):
        v = values[i % len(values)]
        if v:
            n += 1
        if not bool(v):
            n += 1000
    return n


def floor_ceil(count):
    total = 0
    for i in range(count):
        x = (i - 3000) / 7.0
        total += math.floor(x) * 3 - math.ceil(x) + math.trunc(x) + int(x)
    return total


FLOATS = [
    0.0,
    -0.0,
    0.9999999999999999,
    -0.9,
    2.0**31,
    -(2.0**31),
    2.0**62,
    2.0**63 - 1024,
    2.0**63,
    -(2.0**63),
    -(2.0**63) - 2048,
    2.0**64,
    1e300,
]
print(truncate(FLOATS, 8000))
print(truncate([*FLOATS, math.inf, -math.inf, math.nan], 8000))
print(rounds(8000))
print(to_float([0, True, 2**53 + 1, 2**63, -(2**63), 10**308, "1.5", " -inf ", "1_000"], 8000))
print(to_float([10**400, "abc", 7], 6000))
print(truth([0, 0.0, -0.0, math.nan, "", "0", [], [0], (), None, True, 2**80, range(0), range(1)], 7000))
print(floor_ceil(7000))
for x in FLOATS:
    print(x, int(x), round(x), bool(x))
for bad in (math.inf, math.nan):
    for function in (int, round, math.floor, math.ceil):
        try:
            function(bad)
        except (OverflowError, ValueError) as error:
            print(type(error).__name__, error)
