# Sums that cross 2^30, 2^31, 2^62, 2^63 and -2^63 in mid-loop, go on as big ints and come back.


def climb(start, step, count):
    total = start
    for _ in range(count):
        total += step
    return total


def descend(start, step, count):
    total = start
    i = 0
    while i < count:
        total = total - step
        i += 1
    return total


def there_and_back(bound, count):
    value = bound - count // 2
    crossings = 0
    for i in range(count):
        before = value
        value = value + 1 if i < count * 3 // 4 else value - 3
        if (before < bound) != (value < bound):
            crossings += 1
    return value, crossings


def negate_and_abs(value, count):
    seen = 0
    for i in range(count):
        value = -value
        seen ^= abs(value) + i
        seen += +value
    return value, seen


for bits in (15, 29, 30, 31, 32, 59, 60, 61, 62, 63, 64, 65, 127):
    edge = 1 << bits
    for offset in (-3000, -1, 0, 1):
        print(bits, offset, climb(edge + offset, 1, 6000), descend(edge + offset, 1, 6000))
        print(bits, offset, climb(-edge + offset, -1, 6000), descend(-edge + offset, -1, 6000))
    print(bits, there_and_back(edge, 8000), there_and_back(-edge, 8000))
    print(bits, negate_and_abs(edge, 5001), negate_and_abs(-edge, 5000), negate_and_abs(edge - 1, 5001))
print(climb(0, 2**62, 10000), climb(0, -(2**63), 10000), climb(2**63 - 1, 0, 6000))
