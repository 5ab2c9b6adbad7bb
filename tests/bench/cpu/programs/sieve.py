"""Sieve of Eratosthenes on a list of booleans: strided stores, then a counting pass."""

import sys

BENCH = {"group": "numeric", "size": 10_000_000, "short_size": 700_000, "small": 2000, "kernels": ["run"]}


def run(n):
    prime = [True] * n
    prime[0] = False
    prime[1] = False
    i = 2
    while i * i < n:
        if prime[i]:
            for j in range(i * i, n, i):
                prime[j] = False
        i += 1
    count = 0
    for flag in prime:
        if flag:
            count += 1
    return count


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
