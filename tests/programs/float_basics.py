# Float arithmetic bit for bit: signed zero, inf and nan made and kept in loops, rounding of long sums.
import math


def harmonic(count):
    total = 0.0
    for i in range(1, count):
        total += 1.0 / i
    return total.hex()


def alternating(count):
    total, sign = 0.0, 1.0
    for i in range(count):
        total += sign / (2 * i + 1)
        sign = -sign
    return (4 * total).hex()


def grow_to_inf(count):
    x = 1.0
    first_inf = None
    for i in range(count):
        x *= 1.5
        if first_inf is None and x == math.inf:
            first_inf = i
        if i == count - 10:
            x = x - x
    return first_inf, x != x, math.isnan(x)


def shrink_to_zero(count):
    x = 1.0
    steps = 0
    while x > 0.0:
        x /= 2.0
        steps += 1
    y = -1.0
    for i in range(count):
        y *= 0.5
    return steps, x, y, math.copysign(1.0, y), y == 0.0


def signed_zero(count):
    z = 0.0
    negative = 0
    for i in range(count):
        z = -z
        z = z + -0.0 if i % 3 == 0 else z * 1.0
        negative += math.copysign(1.0, z) < 0
    return z, negative


def nan_comparisons(count):
    nan = math.nan
    hits = [0] * 6
    for i in range(count):
        x = nan if i % 2 else float(i)
        hits[0] += x == x
        hits[1] += x != x
        hits[2] += x < 10.0
        hits[3] += x >= 10.0
        hits[4] += not x < 10.0
        hits[5] += bool(x)
    return hits


def mixed_int_float(count):
    total = 0
    for i in range(count):
        total = total + i if i % 2 else total + 0.1
        total = total - 1 + 2.5 * i - i / 3
    return total.hex()


def kahan(count):
    total = compensation = 0.0
    for i in range(count):
        y = 0.1 - compensation
        t = total + y
        compensation = (t - total) - y
        total = t
    return total.hex(), compensation.hex()


print(harmonic(20000), alternating(20000))
print(grow_to_inf(9000), shrink_to_zero(9000), signed_zero(9001))
print(nan_comparisons(9000), mixed_int_float(9000), kahan(10000))
print(0.0 - 0.0, -0.0 + 0.0, -0.0 - 0.0, 0.0 * -1, -0.0, 1e308 * 10, -1e308 * 10, 5e-324 / 2, 1e16 + 1.0 - 1e16)
