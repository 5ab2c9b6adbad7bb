"""A global that compiled code takes for constant is changed inside an operation of that code."""

FACTOR = 2


def note(i):
    global FACTOR
    if i == 700:
        FACTOR = 3
    return i


def work(n):
    total = 0
    for i in range(n):
        total += FACTOR * i
        sorted([i], key=note)
    return total


print(work(1000))
