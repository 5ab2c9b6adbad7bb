"""gcd, lcm and isqrt of ints: signs, bools, zeros, and ints at the limits of what is computed natively."""
import math

LIMITS = [0, 1, 2, 3, 2**31 - 1, 2**31, 2**52, 2**53 - 1, 2**53 + 1, 2**59, 2**60 - 1, 2**60, 2**60 + 1, 2**62, 2**63 - 1, 2**63, 2**64, 10**30]
INTS = LIMITS + [-x for x in LIMITS]


def divisors(rounds):
    total = 0
    for i in range(rounds):
        total += math.gcd(i, 360) + math.gcd(-i, 84) * 3 + math.lcm(i % 40, 14) + math.gcd(i > 5, 3) + math.lcm(-i, True)
    return total


def roots(rounds):
    total = 0
    for i in range(rounds):
        square = (i * 7919) ** 2 % 2**59
        total += math.isqrt(square) + math.isqrt(square + 1) - math.isqrt(max(square - 1, 0)) + math.isqrt(i * i - 1 if i else 0)
    return total


def at_limits(function, pairs):
    seen = []
    for a, b in pairs:
        seen.append(function(a, b))
    return hash(tuple(seen)), seen[:40]


def roots_at_limits(numbers):
    seen = []
    for number in numbers:
        for near in (number - 1, number, number + 1):
            try:
                seen.append(math.isqrt(near))
            except ValueError as error:
                seen.append(str(error))
    return seen


def others(rounds):
    total = 0
    for i in range(rounds):
        total += math.gcd(i) + math.gcd(i, 6, 4) + math.gcd() + math.lcm() + math.lcm(i + 1, 2, 3)
    return total


class Index:
    def __index__(self):
        return 12


print(divisors(2000), roots(2000), others(500))
pairs = [(a, b) for a in INTS for b in INTS]
for _ in range(3):
    print(at_limits(math.gcd, pairs))
    print(at_limits(math.lcm, pairs))
    print(roots_at_limits([x * x for x in LIMITS if x < 2**32] + LIMITS))
for value in (1.0, "x", None, Index()):
    for function in (lambda: math.gcd(value, 4), lambda: math.lcm(3, value), lambda: math.isqrt(value)):
        for _ in range(300):
            try:
                last = function()
            except TypeError as error:
                last = str(error)
        print(last)
big = 2**61
print(math.gcd(big, 0) is big, [math.gcd(x, 0) == x for x in (5, 2**59, 2**61)])
