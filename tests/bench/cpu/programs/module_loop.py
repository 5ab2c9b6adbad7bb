"""Loops at module level, all variables global: the first script anybody writes."""

import sys

BENCH = {"group": "numeric", "size": 3_500_000, "short_size": 205_000, "small": 500, "numba": "compiles functions only"}

n = int(sys.argv[1])
total = 0.0
squares = 0
for i in range(1, n + 1):
    sign = -1.0 if i % 2 == 0 else 1.0
    total += sign / (2 * i - 1)
    if i % 3 == 0:
        squares += i * i % 7
result = 4.0 * total + squares

if __name__ == "__main__":
    print(result)
