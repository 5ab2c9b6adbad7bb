# int / int: correctly rounded for ints past 2^53, overflow to OverflowError, zero division.


def ratios(values, count):
    out = 0.0
    last = None
    for i in range(count):
        a = values[i % len(values)]
        b = values[(i * 5 + 1) % len(values)]
        last = a / b
        if last < 1e100:
            out += last
    return out.hex(), last.hex()


def average(count):
    total = 0
    for i in range(count):
        total += i * i
    return total / count, total / (count - 1) / 3


def too_large(count):
    kinds = {}
    for i in range(count):
        try:
            value = 10 ** (i % 400) / (3 if i % 7 else 0)
            kind = value > 1e300
        except (OverflowError, ZeroDivisionError) as error:
            kind = str(error)
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


VALUES = [
    1,
    3,
    -7,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**62 + 1,
    2**63 - 1,
    -(2**63),
    2**63,
    2**64 + 3,
    10**40,
    9007199254740993,
    5,
]
print(ratios(VALUES, 20000))
print(average(12345))
print(too_large(6000))
for a in VALUES:
    print(a, [(a / b).hex() for b in VALUES])
