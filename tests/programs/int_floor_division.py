# // and % and divmod of ints with every combination of signs, at the edges of 64 bits, and by zero.


def table(values, divisors, count):
    quotients = remainders = 0
    for i in range(count):
        a = values[i % len(values)]
        b = divisors[i % len(divisors)]
        q, r = a // b, a % b
        if divmod(a, b) != (q, r) or q * b + r != a:
            print("broken", a, b, q, r)
        quotients = quotients * 3 + q & 0xFFFFFFFFFFFF
        remainders = remainders * 5 + r & 0xFFFFFFFFFFFF
    return quotients, remainders


def digits(n):
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total


def zero_guard(count):
    failures = 0
    total = 0
    for i in range(count):
        divisor = i % 100 - 50
        try:
            total += 100000 // divisor
            total += 100000 % divisor
        except ZeroDivisionError as error:
            failures += 1
            if failures < 3:
                print(error)
    return failures, total


VALUES = [
    0,
    1,
    -1,
    7,
    -7,
    2**30,
    -(2**30),
    2**31 - 1,
    2**62,
    -(2**62),
    2**63 - 1,
    -(2**63),
    2**63,
    -(2**63) - 1,
    10**30,
]
DIVISORS = [1, -1, 2, -2, 3, -3, 7, -10, 2**31, -(2**31), 2**63 - 1, -(2**63), 2**64]
print(table(VALUES, DIVISORS, 20000))
print(table([x for x in range(-50, 51)], [x for x in range(-9, 10) if x], 20000))
print(table([-(2**63)] * 3, [-1, 1, -1], 9000))
print(sum(digits(n) for n in range(0, 10**12, 10**12 // 6000)))
print(zero_guard(10000))
for a in VALUES:
    print(a, [(a // b, a % b) for b in DIVISORS])


def fails_late(count):
    total = 0
    for i in range(count):
        total += 1000 % (9000 - i)
    return total


try:
    fails_late(20000)
except ZeroDivisionError as error:
    print(type(error).__name__, error, error.__traceback__.tb_next.tb_lineno)
