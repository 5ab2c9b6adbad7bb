"""Prime generators with yield."""

import sys
from itertools import count, islice, takewhile

BENCH = {"size": 55_000, "small": 200}


def primes_by_division():
    found = []
    n = 2
    while True:
        for p in found:
            if p * p > n:
                found.append(n)
                yield n
                break
            if n % p == 0:
                break
        else:
            found.append(n)
            yield n
        n += 1


def primes_incremental():
    """Eppstein's sieve with a dict of composites."""
    composites = {}
    for q in count(2):
        p = composites.pop(q, None)
        if p is None:
            composites[q * q] = q
            yield q
        else:
            x = p + q
            while x in composites:
                x += p
            composites[x] = p


def twin_primes(primes):
    previous = next(primes)
    for p in primes:
        if p - previous == 2:
            yield previous, p
        previous = p


def prime_factors(n):
    d = 2
    while d * d <= n:
        while n % d == 0:
            yield d
            n //= d
        d += 1
    if n > 1:
        yield n


def run(size):
    total = sum(islice(primes_by_division(), size // 2))
    for p in takewhile(lambda p: p < size * 9, primes_incremental()):
        total += p
    for a, b in islice(twin_primes(primes_incremental()), size // 45):
        total += a ^ b
    for n in range(2, size):
        total += len(list(prime_factors(n)))
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
