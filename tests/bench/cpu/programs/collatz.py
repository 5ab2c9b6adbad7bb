"""The longest Collatz sequence: integer arithmetic with a loop of unforeseeable length in a loop."""

import sys

BENCH = {"group": "numeric", "size": 120_000, "short_size": 9_600, "small": 100, "kernels": ["run"]}


def run(n):
    best = 0
    best_start = 0
    for start in range(1, n):
        value = start
        length = 1
        while value != 1:
            if value % 2 == 0:
                value = value // 2
            else:
                value = 3 * value + 1
            length += 1
        if length > best:
            best = length
            best_start = start
    return 1000 * best_start + best


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
