"""Lucas numbers by double recursion: nothing but calls."""

import sys

# The bars are set on Lucas(32), which a fast machine computes in a third of a second: too short for a whole process. Of the
# numbers Lucas(29) comes nearest to a short call.
BENCH = {"group": "numeric", "size": 32, "whole_size": 34, "short_size": 29, "small": 12, "kernels": ["run"]}


def run(n):
    if n < 2:
        return 2 - n
    return run(n - 1) + run(n - 2)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
