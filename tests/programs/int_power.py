# ** of all kinds: int with positive, zero and negative exponents, floats, negative bases, three-argument pow.
import math


def small_powers(count):
    total = 0
    for i in range(count):
        total += (i % 13 - 6) ** (i % 5)
    return total


def growing_powers(count):
    acc = 0
    for i in range(count):
        acc ^= (i % 17) ** (i % 40)
    return acc


def negative_exponents(count):
    total = 0.0
    for i in range(1, count):
        total += (i % 9 + 1) ** -(i % 6) + 2**-1
    return total.hex()


def squares(count):
    x, total = 0.1, 0.0
    for i in range(count):
        x = x * 1.0001 + 1e-3
        total += x**2 - x**0.5 + x**-1 + x**3.0
    return total.hex()


def bases_of_every_sign(count):
    seen = {}
    for i in range(count):
        base = (i % 7 - 3) / 2
        exponent = (i % 11 - 5) / 2
        try:
            value = base**exponent
            kind = type(value).__name__
        except ZeroDivisionError as error:
            kind = str(error)
        seen[kind] = seen.get(kind, 0) + 1
    return sorted(seen.items())


def modular(count):
    total = 0
    for i in range(count):
        total += pow(i, 65537, 1000003) + pow(3, i % 50) - pow(i % 100 + 1, -1, 1000003)
    return total


def overflow_kinds(count):
    errors = 0
    for i in range(count):
        try:
            10.0 ** (i % 320)
        except OverflowError as error:
            errors += 1
            text = str(error)
    return errors, text


print(small_powers(8000), growing_powers(8000))
print(negative_exponents(8000), squares(8000))
print(bases_of_every_sign(8000))
print(modular(6000))
print(overflow_kinds(6400))
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, math.inf, -math.inf, math.nan, 1e308]
for a in EDGES:
    row = []
    for b in EDGES:
        try:
            row.append(repr(a**b))
        except (ZeroDivisionError, OverflowError) as error:
            row.append(str(error))
    print(a, row)
print(0**0, 0.0**0, (-8) ** (1 / 3), (-1) ** 2**31, 2**63, -(2**63), (-2) ** 63, 7**-2, True**3, 2**True)
