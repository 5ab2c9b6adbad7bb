"""Counts the primes, the twin primes and the widest gap below a limit, with the sieve of Eratosthenes.

Usage: sieve.py [LIMIT]     (default 8 million)
"""

import sys


def sieve(limit):
    """Returns a list of `limit` flags: flag n says whether n is prime."""
    prime = [True] * limit
    prime[0] = prime[1] = False
    n = 2
    while n * n < limit:
        if prime[n]:
            for multiple in range(n * n, limit, n):
                prime[multiple] = False
        n += 1
    return prime


def survey(prime):
    """Returns (primes, pairs of twins, the widest gap, the prime before that gap)."""
    count = twins = widest = widest_at = 0
    previous = 0
    for n in range(len(prime)):
        if prime[n]:
            count += 1
            if previous:
                gap = n - previous
                if gap == 2:
                    twins += 1
                if gap > widest:
                    widest = gap
                    widest_at = previous
            previous = n
    return count, twins, widest, widest_at


def main():
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000_000
    if limit < 2:
        sys.exit("sieve.py: LIMIT must be at least 2")
    count, twins, widest, widest_at = survey(sieve(limit))
    print(f"below {limit}: {count} primes, {twins} pairs of twins, widest gap {widest} after {widest_at}")


if __name__ == "__main__":
    main()
