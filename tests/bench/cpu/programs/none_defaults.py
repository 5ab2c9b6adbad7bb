"""A function of nine optional arguments, each tested with `is None`: 2^9 paths through one small body."""

import sys

BENCH = {"group": "objects", "size": 1_200_000, "short_size": 80_000, "small": 600, "numba": "arguments are None or a number from call to call"}


def blend(a=None, b=None, c=None, d=None, e=None, f=None, g=None, h=None, i=None):
    if a is None:
        a = 1
    if b is None:
        b = 2
    if c is None:
        c = 3
    if d is None:
        d = 4
    if e is None:
        e = 5
    if f is None:
        f = 6
    if g is None:
        g = 7
    if h is None:
        h = 8
    if i is None:
        i = 9
    return a + b - c + d - e + f - g + h - i


def run(n):
    total = 0
    bits = 1
    for _ in range(n):
        bits = (bits * 1103515245 + 12345) % 2147483648
        w = bits >> 12
        total += blend(
            None if w & 1 else 10,
            None if w & 2 else 20,
            None if w & 4 else 30,
            None if w & 8 else 40,
            None if w & 16 else 50,
            None if w & 32 else 60,
            None if w & 64 else 70,
            None if w & 128 else 80,
            None if w & 256 else 90,
        )
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
