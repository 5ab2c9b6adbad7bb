"""Recursion by way of C functions goes as deep as CPython lets it: each level costs what it costs the interpreter."""

import sys

sys.setrecursionlimit(100_000)  # what is left is the limit of nested C calls


def by_key(n):
    return sorted([n], key=lambda x: by_key(x - 1) if x else 0)


class Longer:
    def __init__(self, most):
        self.most = most

    def __getattr__(self, name):
        return getattr(self, name + "x") if len(name) < self.most else 0


def by_attribute(n):
    return Longer(n).a


def by_map(n):
    return list(map(by_map, [n - 1])) if n else 0


def deepest(function):
    low, high = 1, 3000
    while low < high:
        middle = (low + high + 1) // 2
        try:
            function(middle)
            low = middle
        except RecursionError:
            high = middle - 1
    return low


for function in by_key, by_attribute, by_map:
    # Now and then code is compiled, or specialised, amid a descent, which then is some levels shorter.
    print(function.__name__, max(deepest(function) for _ in range(4)))
