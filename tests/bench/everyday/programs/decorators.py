"""Closures and decorators with *args and **kwargs."""

import functools
import sys

BENCH = {"size": 170_000, "small": 50}


def counted(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return func(*args, **kwargs)
    wrapper.calls = 0
    return wrapper


def memoize(func):
    memo = {}

    @functools.wraps(func)
    def wrapper(*args):
        if args not in memo:
            memo[args] = func(*args)
        return memo[args]
    return wrapper


def retry(times):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return func(*args, attempt=attempt, **kwargs)
                except ValueError:
                    continue
            return -1
        return wrapper
    return decorate


def checked(*types):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            for arg, kind in zip(args, types):
                if not isinstance(arg, kind):
                    raise TypeError(f"{arg!r} is no {kind}")
            return func(*args, **kwargs)
        return wrapper
    return decorate


@counted
def scale(x, factor=2, *, offset=0):
    return x * factor + offset


@checked(int, int)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@retry(3)
def flaky(n, attempt=0):
    if (n + attempt) % 3 == 0:
        raise ValueError("try again")
    return n * 2 + attempt


def compose(*functions):
    def composed(x):
        for f in functions:
            x = f(x)
        return x
    return composed


def make_counter(step):
    value = 0

    def bump():
        nonlocal value
        value += step
        return value
    return bump


def curry(f, *fixed):
    return lambda *rest: f(*fixed, *rest)


def run(size):
    scale.calls = 0
    total = 0
    fast_gcd = memoize(gcd)
    pipeline = compose(lambda x: x + 1, lambda x: x * 3, lambda x: x % 1009)
    bump = make_counter(3)
    add3 = curry(lambda a, b, c: a + b - c, 10, 20)
    for i in range(size):
        total += scale(i, offset=3) + scale(i, 5)
        total += fast_gcd(i % 300 + 1, i % 7 + 1)
        total += flaky(i)
        total += pipeline(i)
        total += bump()
        total += add3(i % 10)
    return total, scale.calls


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
