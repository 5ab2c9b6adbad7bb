"""Pancake flips over all permutations: list items swapped back and forth, branches that depend on the data."""

import sys

# Eight items in both orders take twice as long as a short call should, seven a fifth of it: -8 is eight in one order.
BENCH = {"group": "numeric", "size": 9, "short_size": -8, "small": 5, "kernels": ["flips", "survey", "run"]}


def flips(order, work):
    n = len(order)
    for i in range(n):
        work[i] = order[i]
    count = 0
    top = work[0]
    while top != 0:
        low = 0
        high = top
        while low < high:
            kept = work[low]
            work[low] = work[high]
            work[high] = kept
            low += 1
            high -= 1
        count += 1
        top = work[0]
    return count


def survey(order):
    """Puts `order` through all its permutations (Heap's); returns (alternating sum of the flips, most flips)."""
    n = len(order)
    state = [0] * n
    work = [0] * n
    most = 0
    checksum = 0
    sign = 1
    level = 0
    while level < n:
        if state[level] < level:
            other = 0
            if level % 2 == 1:
                other = state[level]
            kept = order[other]
            order[other] = order[level]
            order[level] = kept
            sign = -sign
            count = flips(order, work)
            checksum += sign * count
            if count > most:
                most = count
            state[level] += 1
            level = 0
        else:
            state[level] = 0
            level += 1
    return checksum, most


def run(n):
    """Surveys n items in rising and in falling order; -n of them in rising order alone."""
    both = n > 0
    n = abs(n)
    up = [0] * n
    down = [0] * n
    for i in range(n):
        up[i] = i
        down[i] = n - 1 - i
    checksum, most = survey(up)
    if both:
        other_checksum, other_most = survey(down)
        checksum += 7 * other_checksum
        most += other_most
    return 1000 * checksum + most


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
