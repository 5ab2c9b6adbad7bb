# Those who read the stack without the GIL find the callees in which compiled code loops: faulthandler in a signal handler, which
# may come between any two instructions. CPython's evaluation loop has a few instructions at its start in which its frames can't be
# read: so the loops are long, and each guard is not made to fail, for that starts it too often.
# kiln-test: modes=always,quick,default asan="it writes marks where CPython's evaluation loop starts by reading the stack"
import collections
import faulthandler
import re
import signal
import tempfile

SAMPLES = 5
dump = tempfile.TemporaryFile("w+")
faulthandler.register(signal.SIGALRM, file=dump, all_threads=False)


def loop(n):
    total = 0
    for i in range(n):
        total = (total + i) % 1000003
    return total


def twice(n):
    return loop(n) + loop(n)


def outer():
    return twice(400000)


def descend(depth, n):
    if depth == 0:
        return loop(n)
    return descend(depth - 1, n) + 1


def deep():
    return descend(9, 400000)


def nested():
    total = 0
    for n in range(2):
        total += loop(300000 + n)
        k = 0
        while k < 10:
            k += 1
            total ^= k
    return total


def around():
    return nested() + nested()


def tree(depth):
    total = 0
    for i in range(2):
        if depth:
            total += tree(depth - 1)
        else:
            total += loop(40000)
    return total


def grow():
    return tree(3)


class Shape:
    def __init__(self, n):
        self.area = 0
        for i in range(n):
            self.area += i & 3

    def __add__(self, other):
        total = 0
        for i in range(self.area):
            total += i & other.area
        return total

    @property
    def size(self):
        total = 0
        for i in range(self.area):
            total ^= i
        return total


def shapes():
    shape = Shape(200000)
    return shape + shape + shape.size


def stacks():
    dump.seek(0)
    blocks = dump.read().split("Stack (")[1:]
    return [tuple(re.findall(r"line \d+ in (\S+)", block)) for block in blocks]


def watch(function, *wanted):
    """Prints for each loop, by the name of its function, the stack that is found most often while it runs."""
    dump.seek(0)
    dump.truncate()
    for _ in range(5):
        result = function()
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    counts = collections.Counter()
    while any(counts[name] < SAMPLES for name in wanted):
        for _ in range(10):
            assert function() == result
        found = stacks()
        counts = collections.Counter([stack[0] for stack in found])
    signal.setitimer(signal.ITIMER_REAL, 0)
    for name in wanted:
        often = collections.Counter([stack for stack in found if stack[0] == name])
        print(function.__name__, result, often.most_common(1)[0][0])


watch(outer, "loop")
watch(deep, "loop")
watch(around, "loop")
watch(grow, "loop")
watch(shapes, "__init__", "__add__", "size")
