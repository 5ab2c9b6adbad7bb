# Calls with keywords, omitted arguments and *args from code that is interpreted
from _harness import drive


def weigh(x, n=30, *, scale=3):  # kiln-native
    total = 0
    for i in range(n):  # kiln-native
        total += x * i % 7 * scale
    return total


def gather(*values, start=0):  # kiln-native
    total = start
    for value in values:  # kiln-native
        total = total * 3 % 1000003 + value
    return total


def feed(n):
    for i in range(n):
        yield weigh(i, scale=i & 3)
        yield weigh(n=20, x=i)
        yield weigh(i)
        yield gather(i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4)
        yield gather(i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4, i, 2, 3, 4, start=9)


def work(n):
    return sum(feed(n))


drive(work, warm=200, full=2000)
