# The default recursion limit is met at python's depth: in plain, hot, mutual, method and generator recursion.
import sys

deepest = 0


def descend(n):
    global deepest
    deepest = n
    descend(n + 1)


def counted(n):
    return 0 if n == 0 else counted(n - 1) + 1


def ping(n):
    global deepest
    deepest = n
    return pong(n + 1)


def pong(n):
    global deepest
    deepest = n
    return ping(n + 1)


class Chain:
    def __init__(self, following):
        self.following = following

    def length(self):
        return 1 + self.following.length() if self.following else 1

    def __add__(self, n):
        global deepest
        deepest = n
        return self + (n + 1)

    def __repr__(self):
        return f"<{self.following!r}>"


def walk(n):
    yield n
    if n:
        yield from walk(n - 1)


def through_map(n):
    global deepest
    deepest = n
    return list(map(through_map, [n + 1]))


def with_arguments(n, *rest, **named):
    global deepest
    deepest = n
    return with_arguments(n + 1, *rest, **named)


def in_loop(n):
    global deepest
    deepest = n
    for i in range(3):
        in_loop(n + 1)


def measure(function, *arguments, **named):
    global deepest
    deepest = 0
    try:
        function(*arguments, **named)
    except RecursionError as error:
        return deepest, str(error)


def first_failing(function, low, high):
    while low < high:
        middle = (low + high) // 2
        try:
            function(middle)
            low = middle + 1
        except RecursionError:
            high = middle
    return low


for _ in range(2):
    print(
        measure(descend, 0),
        measure(ping, 0),
        measure(Chain(None).__add__, 0),
        measure(with_arguments, 0, 1, 2, x=3),
        measure(in_loop, 0),
    )
for _ in range(40):
    counted(300)
for _ in range(3):
    print(first_failing(counted, 10, 5000), measure(descend, 0), measure(ping, 0))
print(counted(980), first_failing(lambda n: sum(walk(n)), 10, 3000))
print(measure(through_map, 0)[1][:36])
chain = None
for i in range(600):
    chain = Chain(chain)
print(chain.length(), measure(repr, chain)[1][:40])
print(sys.getrecursionlimit())


def catches_every_time(count):
    failures = 0
    for i in range(count):
        try:
            descend(0)
        except RecursionError:
            failures += 1
    return failures, deepest


print(catches_every_time(30))
for limit in (100, 500, 3000, 1000):
    sys.setrecursionlimit(limit)
    print(limit, measure(descend, 0), measure(ping, 0), first_failing(counted, 10, 9000))
try:
    descend(0)
except RecursionError as error:
    tb = error.__traceback__
    depth = 0
    while tb:
        depth += 1
        tb = tb.tb_next
    print(depth)
descend.__name__
counted(990)
