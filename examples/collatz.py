"""Looks for the start below a limit with the longest Collatz sequence: halve what is even, else 3n + 1, until 1.

All of it is loops at module level, as in a first script: no function anywhere.

Usage: collatz.py [LIMIT]     (default 100000)
"""

import sys

limit = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000

longest = 0
longest_start = 1
highest = 0
total = 0

for start in range(1, limit):
    n = start
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
            if n > highest:
                highest = n
        steps += 1
    total += steps
    if steps > longest:
        longest = steps
        longest_start = start

print(f"starts below {limit}: {total} steps in all")
print(f"longest sequence: {longest} steps from {longest_start}")
print(f"highest number passed: {highest}")
