# for over range: negative steps, empty and huge ranges, rebinding of the loop variable, the variable after the loop.
import sys


def count_and_sum(r):
    n = total = 0
    for i in r:
        n += 1
        total += i
    return n, total


def last_value(r):
    i = "unset"
    for i in r:
        pass
    return i


def rebinding(count):
    total = 0
    for i in range(count):
        total += i
        i = i * 2 + 1
        total -= i
    return total, i


def huge_start(count):
    total = 0
    for i in range(2**63 - 3000, 2**63 - 3000 + count):
        total ^= i
    for i in range(-(2**63) + 3000, -(2**63) + 3000 - count, -1):
        total ^= i
    return total, i


def huge_bound_with_break():
    for i in range(10**30):
        if i == 7000:
            break
    for j in range(-(10**30), 0, 10**26):
        if j > -(10**29):
            break
    return i, j


def bounds_evaluated_once(count):
    n = count
    rounds = 0
    for i in range(n):
        n = 5
        rounds += 1
    return rounds, n


def non_constant_step(count):
    total = 0
    for step in (1, -1, 2, -3, 7, -1000):
        start, stop = (0, count) if step > 0 else (count, 0)
        for i in range(start, stop, step):
            total += i * step
    return total


for r in (
    range(0),
    range(6000),
    range(5, 5),
    range(10, 0),
    range(6000, 0, -1),
    range(0, 6000, 7),
    range(6000, -6000, -5),
    range(-3, -9000, -1),
    range(sys.maxsize - 6000, sys.maxsize),
    range(-sys.maxsize + 6000, -sys.maxsize - 1, -1),
    range(2**31 - 3000, 2**31 + 3000),
    range(2**30 - 3000, 2**30 + 3000),
    range(True, 6000),
    range(sys.maxsize, sys.maxsize + 3),
):
    print(r, count_and_sum(r), last_value(r), len(r) if len(r) else "empty")
print(rebinding(6000), huge_start(6000), huge_bound_with_break(), bounds_evaluated_once(6000), non_constant_step(6000))
for bad in ((1, 2, 0), (1.0,), ("3",)):
    try:
        for i in range(*bad):
            pass
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)


class Index:
    def __index__(self):
        return 6000


print(count_and_sum(range(Index())), 5999 in range(Index()), range(0, 10, 2)[3], range(10)[-1], range(10)[2:5])
