# 200,000 frames after setrecursionlimit(10**6): python survives it on the main thread, so must hot code.
import sys

sys.setrecursionlimit(10**6)


def count(n):
    return 0 if n == 0 else count(n - 1) + 1


def total(n, acc=0.5):
    if n == 0:
        return acc
    return total(n - 1, acc + n)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


class Node:
    def __init__(self, following):
        self.following = following

    def depth(self):
        if self.following is None:
            return 1
        return self.following.depth() + 1


def with_loop(n):
    s = 0
    for i in range(3):
        s += i
    return s if n == 0 else with_loop(n - 1) + s


def fails(n):
    if n == 0:
        raise ValueError("at the bottom")
    return fails(n - 1)


for _ in range(30):
    count(50), total(50), is_even(50), with_loop(50)
print(count(200000), total(200000), is_even(200000), is_even(199999), with_loop(100000))
chain = None
for i in range(100000):
    chain = Node(chain)
print(chain.depth())
try:
    fails(100000)
except ValueError as error:
    depth = 0
    tb = error.__traceback__
    while tb:
        depth += 1
        tb = tb.tb_next
    print(error, depth)
    del tb, error
while chain:
    chain = chain.following
print(count(200000))
