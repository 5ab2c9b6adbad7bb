"""A nested loop of float arithmetic: the plainest case there is."""

import sys

BENCH = {"group": "numeric", "size": 3200, "short_size": 800, "small": 40, "kernels": ["run"]}


def run(n):
    total = 0.0
    for i in range(n):
        x = i * 0.5
        for j in range(n):
            y = j * 0.25
            total += x * y - (x + y)
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
