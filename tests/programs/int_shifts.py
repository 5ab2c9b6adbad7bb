# << and >> with counts that are zero, large, huge and negative; arithmetic right shifts of negative ints.


def left(count):
    total = 0
    for i in range(count):
        total ^= (i - 3000) << (i % 70)
    return total


def right(values, count):
    total = 0
    for i in range(count):
        total += values[i % len(values)] >> (i % 130)
    return total


def mix(seed, count):
    x = seed
    for _ in range(count):
        x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 7
        x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
    return x


def bit_count(values, count):
    total = 0
    for i in range(count):
        v = values[i % len(values)]
        while v > 0:
            total += v & 1
            v >>= 1
    return total


def negative_counts(count):
    errors = 0
    for i in range(count):
        try:
            (i << (i % 50 - 25)) >> (25 - i % 40)
        except ValueError as error:
            errors += 1
            text = str(error)
    return errors, text


VALUES = [1, -1, 0, 2**31, -(2**31), 2**62, 2**63 - 1, -(2**63), 2**63, -(2**64), 12345678901234567890123]
print(left(8000))
print(right(VALUES, 8000))
print(mix(88172645463325252, 8000))
print(bit_count([x for x in VALUES if x >= 0], 3000))
print(negative_counts(8000))
for v in VALUES:
    print(v, [v >> s for s in (0, 1, 31, 62, 63, 64, 1000)], [v << s for s in (0, 1, 30, 63)])
print(0 << 10**10, -1 >> 10**10, 5 >> 2**65)
try:
    print(1 << 2**64)
except (OverflowError, MemoryError) as error:
    print(type(error).__name__, error)
